#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdint.h>

void commands_boot(void);                                        /* says BOOT */
void commands_lost(void);                                        /* says LOST */
void commands_refuse(uint8_t reason, uint8_t seq);               /* says NAK */
void commands_obey(const uint8_t *body, uint16_t length, uint32_t now_ms); /* body: type, seq, payload */

/* Counts damaged units for PONG. */
void commands_count_damaged(void);

#endif
