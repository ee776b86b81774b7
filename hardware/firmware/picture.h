#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

/* Sets all LEDs to black, without showing it. */
void picture_clear(void);

/* Sets LEDs start .. start + count - 1, which must exist. */
void picture_fill(uint8_t start, uint8_t count, const uint8_t *rgb);
void picture_copy(uint8_t start, uint8_t count, const uint8_t *rgb);

/* Dims to the cap and clocks out; returns when the strip shows the picture. */
void picture_show(uint16_t cap_ma);

/* The checksum of the picture as it was clocked out. */
bool picture_is_limited(void);
uint16_t picture_digest(void);
uint16_t picture_estimate_ma(void);

/* Three bytes per LED, and one more black LED. */
const uint8_t *picture_bytes(void);

#endif
