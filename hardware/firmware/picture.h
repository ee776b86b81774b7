#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

/* All black; not shown yet. */
void picture_clear(void);

/* LEDs start .. start + count - 1; the caller has checked that they exist. */
void picture_fill(uint8_t start, uint8_t count, const uint8_t *rgb);
void picture_copy(uint8_t start, uint8_t count, const uint8_t *rgb);

/* Within the cap, onto the strip; comes back when the strip shows it. */
void picture_show(uint16_t cap_ma);

/* Of the picture as it was clocked out. */
bool picture_is_limited(void);
uint16_t picture_digest(void);
uint16_t picture_estimate_ma(void);

/* Three bytes an LED, and one black LED more. */
const uint8_t *picture_bytes(void);

#endif
