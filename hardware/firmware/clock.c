/* Time. Timer 1 runs freely and is only read, so late or lost interrupts cannot slow the clock; Timer 0 only wakes the
 * chip.
 */
#include "clock.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#define STEPS_PER_MS (1000 / CLOCK_STEP_US)
#define WAKE_UP_MS 8

static uint16_t counted_steps;
static uint32_t now_ms;

EMPTY_INTERRUPT(TIMER0_COMPA_vect)

void clock_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS11) | _BV(CS10); /* F_CPU / 64 */
    TCCR0A = _BV(WGM01);            /* clear on match: a masked match is followed by another */
    OCR0A = F_CPU / 1024 * WAKE_UP_MS / 1000 - 1;
    TCCR0B = _BV(CS02) | _BV(CS00); /* F_CPU / 1024 */
    TIMSK0 = _BV(OCIE0A);
    set_sleep_mode(SLEEP_MODE_IDLE);
}

uint16_t clock_steps(void)
{
    return TCNT1; /* atomic enough: no interrupt uses a 16-bit register of Timer 1 */
}

uint32_t clock_ms(void)
{
    /* Usually zero or one step: cheaper than a division, and called every few bytes. */
    while ((uint16_t)(clock_steps() - counted_steps) >= STEPS_PER_MS) {
        counted_steps += STEPS_PER_MS;
        now_ms++;
    }
    return now_ms;
}

void clock_sleep(void)
{
    sleep_enable();
    sei(); /* takes effect after the next instruction, so no interrupt comes in between */
    sleep_cpu();
    sleep_disable();
}

void clock_mute_wake_up(void)
{
    TIMSK0 = 0;
}

void clock_unmute_wake_up(void)
{
    TIMSK0 = _BV(OCIE0A);
}
