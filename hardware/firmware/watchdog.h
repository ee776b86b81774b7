#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdint.h>

/* MCUSR as it was at the start; 0 when a bootloader has cleared it. */
uint8_t watchdog_reset_cause(void);

void watchdog_start(void);
void watchdog_feed(void);

#endif
