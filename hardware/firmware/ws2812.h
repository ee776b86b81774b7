#ifndef WS2812_H
#define WS2812_H

#include <stdint.h>

/* Clocks out n_led LEDs, red green blue each. Waits first until the strip has latched what came before. */
void ws2812_show(const uint8_t *rgb, uint8_t n_led);

/* Until the strip shows what was clocked out last. */
void ws2812_wait_latch(void);

#endif
