#ifndef RAIL_H
#define RAIL_H

#include <stdint.h>

void rail_start(void);
void rail_poll(uint32_t now_ms);

/* Millivolts, at least 1; RAIL_UNKNOWN_MV before the first measurement. */
uint16_t rail_mv(void);

#endif
