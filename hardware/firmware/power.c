/* Estimates the current of a picture and dims it to the cap.
 *
 * The integer arithmetic equals firmware_bridge/power.py, which documents the formula: the host compares the checksum of
 * what was clocked out, so every rounding matters. 32 bits suffice: 65535 * 65280 < 2^32.
 */
#include "power.h"

#include "protocol.h"

static uint32_t sum_of_bytes(const uint8_t *rgb, uint8_t n_led)
{
    uint32_t sum = 0;
    for (; n_led; n_led--, rgb += BYTES_PER_LED)
        sum += (uint16_t)(rgb[0] + rgb[1] + rgb[2]);
    return sum;
}

static uint16_t estimate_of(uint32_t sum, uint8_t n_led)
{
    return (uint16_t)(n_led * IDLE_MA + sum * CHANNEL_MA / 255);
}

uint16_t power_estimate_ma(const uint8_t *rgb, uint8_t n_led)
{
    return estimate_of(sum_of_bytes(rgb, n_led), n_led);
}

bool power_cap(uint8_t *rgb, uint8_t n_led, uint16_t cap_ma)
{
    uint32_t sum = sum_of_bytes(rgb, n_led);
    if (estimate_of(sum, n_led) <= cap_ma)
        return false;
    uint16_t idle_ma = n_led * IDLE_MA;
    uint8_t scale = 0; /* below 256, since the picture exceeds the cap */
    if (cap_ma > idle_ma)
        scale = (uint8_t)((uint32_t)(cap_ma - idle_ma) * (255UL * 256) / (sum * CHANNEL_MA));
    for (uint16_t left = (uint16_t)n_led * BYTES_PER_LED; left; left--, rgb++)
        *rgb = (uint8_t)(((uint16_t)*rgb * scale) >> 8);
    return true;
}
