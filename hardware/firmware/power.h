#ifndef POWER_H
#define POWER_H

#include <stdbool.h>
#include <stdint.h>

/* The current of n_led LEDs in mA, rounded down. rgb: 3 * n_led bytes. */
uint16_t power_estimate_ma(const uint8_t *rgb, uint8_t n_led);

/* Dims the picture in place if it exceeds the cap; returns whether it did. */
bool power_cap(uint8_t *rgb, uint8_t n_led, uint16_t cap_ma);

#endif
