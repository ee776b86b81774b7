/* The picture of the strip: one buffer, dimmed in place to the cap and then clocked out. The digest is computed from the
 * same buffer after the last bit has left.
 */
#include "picture.h"

#include <string.h>

#include "board.h"
#include "framing.h"
#include "power.h"
#include "ws2812.h"

static uint8_t leds[(N_LED + 1) * BYTES_PER_LED];
static bool is_limited;
static uint16_t digest;
static uint16_t estimate_ma;

void picture_clear(void)
{
    memset(leds, 0, sizeof leds);
}

void picture_fill(uint8_t start, uint8_t count, const uint8_t *rgb)
{
    for (uint8_t *led = leds + start * BYTES_PER_LED; count; count--, led += BYTES_PER_LED)
        memcpy(led, rgb, BYTES_PER_LED);
}

void picture_copy(uint8_t start, uint8_t count, const uint8_t *rgb)
{
    memcpy(leds + start * BYTES_PER_LED, rgb, count * BYTES_PER_LED);
}

void picture_show(uint16_t cap_ma)
{
    is_limited = power_cap(leds, N_LED, cap_ma);
    ws2812_show(leds, N_LED);
    digest = crc16_of(leds, N_LED * BYTES_PER_LED);
    estimate_ma = power_estimate_ma(leds, N_LED);
    ws2812_wait_latch();
}

bool picture_is_limited(void)
{
    return is_limited;
}

uint16_t picture_digest(void)
{
    return digest;
}

uint16_t picture_estimate_ma(void)
{
    return estimate_ma;
}

const uint8_t *picture_bytes(void)
{
    return leds;
}
