#ifndef CHAIN_H
#define CHAIN_H

#include <stdint.h>

void chain_start(void);

/* How many LEDs the strip really has, by its return wire; CHAIN_NO_RETURN when nothing came back. `rgb` is what the
 * strip shows, and one black LED more; it stays lit throughout. */
uint8_t chain_count(const uint8_t *rgb);

#endif
