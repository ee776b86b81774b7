/* The light board: receives colours, shows them, and confirms that they are lit.
 *
 * The main loop handles some bytes of the line, then checks the time; with nothing to do the chip sleeps.
 */
#include <avr/interrupt.h>

#include "board.h"
#include "chain.h"
#include "clock.h"
#include "commands.h"
#include "framing.h"
#include "picture.h"
#include "rail.h"
#include "session.h"
#include "uart.h"
#include "watchdog.h"

#define BYTES_AT_A_TIME 32

static const uint8_t marker_rgb[] = {MARKER_RGB};

static void take_unit(unit_state state, uint32_t now_ms)
{
    bool is_damaged = uart_take_damage(); /* refused even if its checksum is correct by chance */
    if (state == UNIT_TOO_LONG) {
        commands_refuse(NAK_OVERFLOW, UNASKED_SEQ);
    } else if (state == UNIT_GOOD && !is_damaged) {
        commands_obey(framing_body(), framing_body_length(), now_ms);
    } else if (state != UNIT_OPEN) {
        commands_count_damaged();
        commands_refuse(NAK_CRC, UNASKED_SEQ);
    }
}

/* At 500000 baud a byte comes every 320 cycles, too often to run the rest of the loop for each. */
static void take_bytes(uint32_t now_ms)
{
    for (uint8_t left = BYTES_AT_A_TIME; left; left--) {
        int16_t byte = uart_get();
        if (byte < 0)
            return;
        unit_state state = framing_feed((uint8_t)byte);
        if (byte == 0) {
            take_unit(state, now_ms);
            return; /* it may have taken long */
        }
    }
}

static void watch_host(uint32_t now_ms)
{
    session_due due = session_poll(now_ms);
    if (due == NOTHING_DUE)
        return;
    picture_clear();
    if (due == MARKER_DUE)
        picture_fill(0, 1, marker_rgb);
    picture_show(session_cap_ma());
    if (due == MARKER_DUE)
        commands_lost();
}

static void sleep_unless_spoken_to(void)
{
    cli();
    if (uart_is_empty())
        clock_sleep();
    sei();
}

int main(void)
{
    watchdog_start();
    clock_start();
    chain_start();
    rail_start();
    picture_show(session_cap_ma()); /* blanks the LEDs, which keep their picture through a reset; enables interrupts */
    uart_start();
    sei();
    commands_boot();
    for (;;) {
        watchdog_feed();
        uint32_t now_ms = clock_ms();
        take_bytes(now_ms);
        watch_host(now_ms);
        rail_poll(now_ms);
        sleep_unless_spoken_to();
    }
}
