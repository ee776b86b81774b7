/* Counts the LEDs of the strip. Each LED keeps the first 24 bits and passes on the rest, so something comes back from a
 * strip of n LEDs if and only if more than n are clocked out: a binary search finds n.
 *
 * The time of the return does not matter. Each LED delays by 0.1 to 0.3 us, so after 120 LEDs the delay is as long as
 * one LED takes to clock out, and a single pass that notes the first edge would count one too many.
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
    RETURN_PORT |= _BV(RETURN_BIT); /* pull-up: without a wire the pin must not float */
}

static bool is_returned(const uint8_t *rgb, uint8_t n_led)
{
    ws2812_wait_latch();
    TIFR1 = _BV(ICF1); /* the capture unit of Timer 1 records an edge, interrupts on or off */
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
