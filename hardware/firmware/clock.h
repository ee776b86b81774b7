#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* Milliseconds since the start; wraps after 49 days. To be asked at least every 262 ms. */
uint32_t clock_ms(void);

/* The raw counter: 4 us a step, wraps after 262 ms. */
#define CLOCK_STEP_US 4
uint16_t clock_steps(void);

/* Sleeps until an interrupt, at most 8 ms; is called with interrupts off and returns with them on. */
void clock_sleep(void);

/* No wake-up call while LEDs are clocked out, so that the pauses between them stay short. */
void clock_mute_wake_up(void);
void clock_unmute_wake_up(void);

#endif
