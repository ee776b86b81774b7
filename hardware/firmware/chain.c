/* How long the strip is. Each LED keeps the first 24 bits and hands on the rest, so something comes back from a strip
 * of n LEDs when, and only when, more than n are clocked out: the count is searched by halves.
 *
 * Nothing depends on when it comes back. Each LED hands on 0.1 to 0.3 us late, which for 120 is as long as an LED takes
 * to clock out, so a single pass that notes the first edge would count one too many.
 */
#include "chain.h"

#include <avr/io.h>
#include <stdbool.h>
#include <util/delay.h>

#include "board.h"
#include "ws2812.h"

#define LONGEST_DELAY_US 60

void chain_start(void)
{
    RETURN_PORT |= _BV(RETURN_BIT); /* pull-up: without a wire the pin must rest */
}

static bool is_returned(const uint8_t *rgb, uint8_t n_led)
{
    ws2812_wait_latch();
    TIFR1 = _BV(ICF1); /* the pin is Timer 1's capture pin: the chip itself notes an edge, interrupts on or off */
    ws2812_show(rgb, n_led);
    _delay_us(LONGEST_DELAY_US);
    return TIFR1 & _BV(ICF1);
}

uint8_t chain_count(const uint8_t *rgb)
{
    if (is_returned(rgb, 0) || !is_returned(rgb, N_LED + 1))
        return CHAIN_NO_RETURN; /* a disturbance, or no wire */
    uint8_t silent = 0, heard = N_LED + 1;
    while (heard - silent > 1) {
        uint8_t middle = (silent + heard) / 2;
        if (is_returned(rgb, middle))
            heard = middle;
        else
            silent = middle;
    }
    return silent;
}
