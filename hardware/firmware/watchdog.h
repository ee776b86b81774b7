#ifndef WATCHDOG_H
#define WATCHDOG_H

#include <stdint.h>

/* MCUSR at the start; 0 if a bootloader has cleared it. */
uint8_t watchdog_reset_cause(void);

void watchdog_start(void);
void watchdog_feed(void);

#endif
