#ifndef WS2812_H
#define WS2812_H

#include <stdint.h>

/* Clocks out n_led LEDs, r g b each, after the strip has latched the picture before. */
void ws2812_show(const uint8_t *rgb, uint8_t n_led);

/* Waits until the strip shows what was clocked out last. */
void ws2812_wait_latch(void);

#endif
