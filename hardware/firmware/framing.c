/* Encodes and decodes wire units: 00 | COBS(body crc16) | 00. It knows neither port nor messages.
 *
 * A unit is decoded byte by byte while it arrives, so that nothing remains to be done at its end. The checksum runs two
 * bytes behind, since the last two bytes are the checksum itself.
 */
#include "framing.h"

#include "protocol.h"

#ifdef __AVR__
#include <util/crc16.h>
#endif

#define CRC_BYTES 2
#define SHORTEST_BODY (2 + CRC_BYTES) /* type and seq */

static uint8_t body[BUFFER_BYTES];
static uint16_t length;       /* bytes in body */
static uint16_t coded_length; /* bytes since the last zero */
static uint16_t crc = CRC_START;
static uint8_t left_in_block;
static bool is_zero_due;

uint16_t crc16(uint16_t value, uint8_t byte)
{
#ifdef __AVR__
    return _crc_xmodem_update(value, byte);
#else
    value ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++)
        value = (uint16_t)(value & 0x8000 ? (value << 1) ^ CRC_POLYNOMIAL : value << 1);
    return value;
#endif
}

uint16_t crc16_of(const uint8_t *bytes, uint16_t count)
{
    uint16_t value = CRC_START;
    while (count--)
        value = crc16(value, *bytes++);
    return value;
}

static void append(uint8_t byte)
{
    if (length >= CRC_BYTES)
        crc = crc16(crc, body[length - CRC_BYTES]);
    body[length++] = byte; /* at most coded_length, which is below BUFFER_BYTES */
}

static void begin(void)
{
    length = 0;
    coded_length = 0;
    crc = CRC_START;
    left_in_block = 0;
    is_zero_due = false;
}

static unit_state finish(void)
{
    unit_state state = UNIT_DAMAGED;
    if (coded_length == 0)
        state = UNIT_OPEN; /* two zeros in a row are an empty unit */
    else if (coded_length > BUFFER_BYTES)
        state = UNIT_TOO_LONG;
    else if (!left_in_block && length >= SHORTEST_BODY && crc == (body[length - 2] | (uint16_t)body[length - 1] << 8))
        state = UNIT_GOOD;
    uint16_t whole = length;
    begin();
    if (state == UNIT_GOOD)
        length = whole; /* for the reader; the next byte begins anew */
    return state;
}

unit_state framing_feed(uint8_t byte)
{
    if (byte == 0)
        return finish();
    if (coded_length == 0)
        begin();
    if (coded_length >= BUFFER_BYTES) {
        coded_length = BUFFER_BYTES + 1;
        return UNIT_OPEN;
    }
    coded_length++;
    if (left_in_block) {
        left_in_block--;
        append(byte);
        return UNIT_OPEN;
    }
    if (is_zero_due)
        append(0);
    left_in_block = byte - 1;
    is_zero_due = left_in_block < COBS_BLOCK;
    return UNIT_OPEN;
}

const uint8_t *framing_body(void)
{
    return body;
}

uint16_t framing_body_length(void)
{
    return length - CRC_BYTES;
}

void framing_send(uint8_t *out, uint8_t count, void (*put)(uint8_t))
{
    uint16_t sum = crc16_of(out, count);
    out[count++] = (uint8_t)sum;
    out[count++] = (uint8_t)(sum >> 8);
    put(0);
    for (uint8_t from = 0; from <= count;) { /* each block: up to the next zero, or to the end */
        uint8_t to = from;
        while (to < count && out[to])
            to++;
        put(to - from + 1);
        while (from < to)
            put(out[from++]);
        from++;
    }
    put(0);
}
