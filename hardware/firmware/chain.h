#ifndef CHAIN_H
#define CHAIN_H

#include <stdint.h>

void chain_start(void);

/* The number of LEDs by the return wire; CHAIN_NO_RETURN if nothing came back. `rgb` is the picture that the strip shows,
 * with one more black LED; it stays lit throughout. */
uint8_t chain_count(const uint8_t *rgb);

#endif
