#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* Who the host is and whether it still lives. */
typedef enum { NO_HOST, HOST_ALIVE, HOST_LOST_MARKED, HOST_LOST_DARK } session_state;
typedef enum { NOTHING_DUE, MARKER_DUE, DARKNESS_DUE } session_due;

void session_begin(uint16_t session, uint16_t host_ms, uint16_t cap_ma, uint32_t now_ms);

/* The host leaves: nothing is due any more. */
void session_end(void);

/* A valid unit came. */
void session_heard(uint32_t now_ms);

/* What the strip must show now because nobody speaks; told once each. */
session_due session_poll(uint32_t now_ms);

bool session_is_alive(void);
bool session_is_lost(void);
uint16_t session_number(void); /* NO_SESSION unless alive */
uint16_t session_ended_number(void);
uint16_t session_host_ms(void);
uint16_t session_cap_ma(void);

#endif
