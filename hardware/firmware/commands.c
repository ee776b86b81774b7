/* Carries out commands. Each is validated completely before it changes anything, and answered when it is done: a picture
 * is acknowledged when the strip shows it.
 */
#include "commands.h"

#include <stdbool.h>
#include <string.h>

#include "board.h"
#include "chain.h"
#include "clock.h"
#include "framing.h"
#include "picture.h"
#include "rail.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

#define HEAD_BYTES 2 /* type and seq */
#define RUN_BYTES 5
#define OBEYED 0

static uint8_t out[40]; /* the longest message has 29 bytes with its checksum */
static uint8_t out_length;
static uint16_t frames, damaged_units;

static void put8(uint8_t value)
{
    out[out_length++] = value;
}

static void put16(uint16_t value)
{
    put8((uint8_t)value);
    put8((uint8_t)(value >> 8));
}

static void put32(uint32_t value)
{
    put16((uint16_t)value);
    put16((uint16_t)(value >> 16));
}

static uint16_t get16(const uint8_t *at)
{
    return at[0] | (uint16_t)at[1] << 8;
}

static uint8_t flags(void)
{
    return (session_is_lost() ? FLAG_LOST : 0) | (picture_is_limited() ? FLAG_LIMITED : 0);
}

static void begin(uint8_t type, uint8_t seq)
{
    out_length = 0;
    put8(type);
    put8(seq);
}

static void send(void)
{
    framing_send(out, out_length, uart_put);
}

static void say_identity(uint8_t type, uint8_t seq)
{
    begin(type, seq);
    put16(session_number());
    put8(flags());
    for (const char *letter = MAGIC; *letter; letter++)
        put8((uint8_t)*letter);
    put8(PROTOCOL_VERSION);
    put8(FW_MAJOR);
    put8(FW_MINOR);
    put8(watchdog_reset_cause());
    put16(N_LED);
    put16(BUFFER_BYTES);
    put16(session_cap_ma());
    put16(session_host_ms());
    put16(CAPABILITIES);
    put32(BUILD_ID);
    send();
}

void commands_boot(void)
{
    say_identity(MSG_BOOT, UNASKED_SEQ);
}

void commands_lost(void)
{
    begin(MSG_LOST, UNASKED_SEQ);
    put16(session_ended_number());
    put8(flags());
    send();
}

void commands_refuse(uint8_t reason, uint8_t seq)
{
    begin(MSG_NAK, seq);
    put8(reason);
    put16(session_number());
    put8(flags());
    put8(PROTOCOL_VERSION);
    send();
}

void commands_count_damaged(void)
{
    damaged_units++;
}

static void say_ack(uint8_t seq)
{
    frames++;
    begin(MSG_ACK, seq);
    put16(session_number());
    put8(flags());
    put16(picture_digest());
    put16(picture_estimate_ma());
    send();
}

static void say_pong(uint8_t seq)
{
    begin(MSG_PONG, seq);
    put16(session_number());
    put8(flags());
    put16(frames);
    put16(damaged_units);
    put16(uart_hw_overruns());
    put16(uart_ring_overruns());
    put16(picture_estimate_ma());
    put16(picture_digest());
    put16(rail_mv());
    put32(clock_ms());
    send();
}

static uint8_t greet(const uint8_t *payload, uint16_t length, uint32_t now_ms)
{
    if (length >= 1 && payload[0] != PROTOCOL_VERSION)
        return NAK_VERSION; /* checked before the length, which may differ in another version */
    if (length != 7)
        return NAK_LEN;
    if (get16(payload + 1) == NO_SESSION)
        return NAK_RANGE;
    session_begin(get16(payload + 1), get16(payload + 3), get16(payload + 5), now_ms);
    picture_clear();
    picture_show(session_cap_ma());
    return OBEYED;
}

/* Answered in the session that it ends, so that the host accepts the answer. */
static uint8_t take_leave(uint8_t seq, uint16_t length)
{
    if (length)
        return NAK_LEN;
    if (!session_is_alive())
        return NAK_NOSESSION;
    picture_clear();
    picture_show(session_cap_ma());
    say_ack(seq);
    session_end();
    return OBEYED;
}

static bool is_on_strip(uint8_t start, uint8_t count)
{
    return start <= N_LED && count <= N_LED - start;
}

static uint8_t show_pixels(const uint8_t *payload, uint16_t length)
{
    if (length < 2 || length != (uint16_t)(2 + payload[1] * BYTES_PER_LED))
        return NAK_LEN;
    if (!is_on_strip(payload[0], payload[1]))
        return NAK_RANGE;
    picture_clear();
    picture_copy(payload[0], payload[1], payload + 2);
    picture_show(session_cap_ma());
    return OBEYED;
}

static uint8_t show_runs(const uint8_t *payload, uint16_t length)
{
    if (length < 1 || length != (uint16_t)(1 + payload[0] * RUN_BYTES))
        return NAK_LEN;
    const uint8_t *end = payload + length;
    for (const uint8_t *run = payload + 1; run < end; run += RUN_BYTES)
        if (run[1] == 0 || !is_on_strip(run[0], run[1]))
            return NAK_RANGE;
    picture_clear();
    for (const uint8_t *run = payload + 1; run < end; run += RUN_BYTES)
        picture_fill(run[0], run[1], run + 2);
    picture_show(session_cap_ma());
    return OBEYED;
}

static void say_chain_count(uint8_t seq)
{
    uint8_t count = chain_count(picture_bytes());
    begin(MSG_CHAIN_COUNT, seq);
    put8(count);
    send();
}

static uint8_t obey_light(uint8_t type, uint8_t seq, const uint8_t *payload, uint16_t length)
{
    if (!session_is_alive())
        return NAK_NOSESSION;
    uint8_t refused = type == MSG_PIXELS ? show_pixels(payload, length) : show_runs(payload, length);
    if (refused == OBEYED)
        say_ack(seq);
    return refused;
}

/* PING and CHAIN light nothing and need no session. */
static uint8_t obey_question(uint8_t type, uint8_t seq, uint16_t length)
{
    if (length)
        return NAK_LEN;
    if (type == MSG_PING)
        say_pong(seq);
    else
        say_chain_count(seq);
    return OBEYED;
}

static bool is_question(uint8_t type)
{
    return type == MSG_PING || (HAS_CHAIN_RETURN && type == MSG_CHAIN);
}

void commands_obey(const uint8_t *body, uint16_t length, uint32_t now_ms)
{
    uint8_t type = body[0], seq = body[1], refused = NAK_TYPE;
    const uint8_t *payload = body + HEAD_BYTES;
    length -= HEAD_BYTES;
    if (type & FROM_BOARD)
        return; /* an echo of a looped line */
    session_heard(now_ms);
    if (type == MSG_HELLO) {
        refused = greet(payload, length, now_ms);
        if (refused == OBEYED)
            say_identity(MSG_HELLO_OK, seq);
    } else if (type == MSG_BYE) {
        refused = take_leave(seq, length);
    } else if (is_question(type)) {
        refused = obey_question(type, seq, length);
    } else if (type == MSG_PIXELS || type == MSG_RUNS) {
        refused = obey_light(type, seq, payload, length);
    }
    if (refused != OBEYED)
        commands_refuse(refused, seq);
}
