#ifndef FRAMING_H
#define FRAMING_H

#include <stdbool.h>
#include <stdint.h>

/* The state of the unit after a byte. */
typedef enum { UNIT_OPEN, UNIT_GOOD, UNIT_DAMAGED, UNIT_TOO_LONG } unit_state;

uint16_t crc16(uint16_t crc, uint8_t byte);
uint16_t crc16_of(const uint8_t *bytes, uint16_t count);

/* Takes one byte. After UNIT_GOOD framing_body() is type, seq, payload until the next byte. */
unit_state framing_feed(uint8_t byte);
const uint8_t *framing_body(void);
uint16_t framing_body_length(void);

/* Passes each byte of the unit to put. body needs room for two more bytes, the checksum; length is at most 250. */
void framing_send(uint8_t *body, uint8_t length, void (*put)(uint8_t));

#endif
