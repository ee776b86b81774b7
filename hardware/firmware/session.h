#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>

/* The session and whether the host is alive. */
typedef enum { NO_HOST, HOST_ALIVE, HOST_LOST_MARKED, HOST_LOST_DARK } session_state;
typedef enum { NOTHING_DUE, MARKER_DUE, DARKNESS_DUE } session_due;

void session_begin(uint16_t session, uint16_t host_ms, uint16_t cap_ma, uint32_t now_ms);

/* The host leaves: no marker follows. */
void session_end(void);

/* A valid unit arrived. */
void session_heard(uint32_t now_ms);

/* What the silence of the host requires of the strip now; each is returned once. */
session_due session_poll(uint32_t now_ms);

bool session_is_alive(void);
bool session_is_lost(void);
uint16_t session_number(void); /* NO_SESSION unless alive */
uint16_t session_ended_number(void);
uint16_t session_host_ms(void);
uint16_t session_cap_ma(void);

#endif
