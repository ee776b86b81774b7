#ifndef FRAMING_H
#define FRAMING_H

#include <stdbool.h>
#include <stdint.h>

/* What has become of the unit that a byte of the line may have ended. */
typedef enum { UNIT_OPEN, UNIT_GOOD, UNIT_DAMAGED, UNIT_TOO_LONG } unit_state;

uint16_t crc16(uint16_t crc, uint8_t byte);
uint16_t crc16_of(const uint8_t *bytes, uint16_t count);

/* One byte of the line. After UNIT_GOOD framing_body() is type, seq, payload until the next byte is fed. */
unit_state framing_feed(uint8_t byte);
const uint8_t *framing_body(void);
uint16_t framing_body_length(void);

/* body has room for two more bytes, where the checksum goes; length at most 250. Gives every byte of the unit to put. */
void framing_send(uint8_t *body, uint8_t length, void (*put)(uint8_t));

#endif
