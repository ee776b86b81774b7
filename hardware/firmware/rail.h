#ifndef RAIL_H
#define RAIL_H

#include <stdint.h>

void rail_start(void);
void rail_poll(uint32_t now_ms);

/* RAIL_UNKNOWN_MV while nothing was measured yet; a measured rail is at least 1. */
uint16_t rail_mv(void);

#endif
