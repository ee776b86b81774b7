/* The session with the host. Requests are granted within compiled-in limits: no host can make the board exceed its
 * current or wait for ever. Time is an argument.
 */
#include "session.h"

#include "board.h"

static session_state state;
static uint16_t number = NO_SESSION;
static uint16_t granted_host_ms = HOST_SILENCE_MS;
static uint16_t granted_cap_ma = MAX_MA;
static uint32_t since_ms; /* of the last valid unit, or of lighting the marker */

static uint16_t clamped(uint16_t value, uint16_t least, uint16_t most)
{
    return value < least ? least : value > most ? most : value;
}

void session_begin(uint16_t session, uint16_t host_ms, uint16_t cap_ma, uint32_t now_ms)
{
    number = session;
    granted_host_ms = clamped(host_ms, HOST_SILENCE_MIN_MS, HOST_SILENCE_MAX_MS);
    granted_cap_ma = clamped(cap_ma, 0, MAX_MA);
    since_ms = now_ms;
    state = HOST_ALIVE;
}

void session_end(void)
{
    state = NO_HOST;
}

void session_heard(uint32_t now_ms)
{
    if (state == HOST_ALIVE)
        since_ms = now_ms;
}

session_due session_poll(uint32_t now_ms)
{
    if (state == HOST_ALIVE && now_ms - since_ms >= granted_host_ms) {
        state = HOST_LOST_MARKED;
        since_ms = now_ms;
        return MARKER_DUE;
    }
    if (state == HOST_LOST_MARKED && now_ms - since_ms >= MARKER_MS) {
        state = HOST_LOST_DARK;
        return DARKNESS_DUE;
    }
    return NOTHING_DUE;
}

bool session_is_alive(void)
{
    return state == HOST_ALIVE;
}

bool session_is_lost(void)
{
    return state == HOST_LOST_MARKED || state == HOST_LOST_DARK;
}

uint16_t session_number(void)
{
    return session_is_alive() ? number : NO_SESSION;
}

uint16_t session_ended_number(void)
{
    return number;
}

uint16_t session_host_ms(void)
{
    return granted_host_ms;
}

uint16_t session_cap_ma(void)
{
    return granted_cap_ma;
}
