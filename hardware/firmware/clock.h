#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

void clock_start(void);

/* Milliseconds since the start; wraps after 49 days. Must be called at least every 262 ms. */
uint32_t clock_ms(void);

/* The raw counter: 4 us a step, wraps after 262 ms. */
#define CLOCK_STEP_US 4
uint16_t clock_steps(void);

/* Sleeps until an interrupt, at most 8 ms. Call with interrupts off; returns with interrupts on. */
void clock_sleep(void);

/* Masks the wake-up interrupt while LEDs are clocked out, to keep the gaps between them short. */
void clock_mute_wake_up(void);
void clock_unmute_wake_up(void);

#endif
