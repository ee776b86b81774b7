#ifndef POWER_H
#define POWER_H

#include <stdbool.h>
#include <stdint.h>

/* The current of n_led LEDs in mA, rounded down. rgb: 3 * n_led bytes. */
uint16_t power_estimate_ma(const uint8_t *rgb, uint8_t n_led);

/* Darkens the picture in place when it is over the cap; tells whether it had to. */
bool power_cap(uint8_t *rgb, uint8_t n_led, uint16_t cap_ma);

#endif
