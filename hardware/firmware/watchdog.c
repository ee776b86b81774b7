/* The hardware watchdog: a hung firmware restarts and reports the cause. */
#include "watchdog.h"

#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"

#if HARDWARE_WATCHDOG_MS != 500
#error "WDTO_500MS below is HARDWARE_WATCHDOG_MS"
#endif

static uint8_t cause __attribute__((section(".noinit")));

/* Runs before main and before variables are cleared: after a watchdog reset the watchdog still runs, at 16 ms. */
void watchdog_tame(void) __attribute__((naked, used, section(".init3")));
void watchdog_tame(void)
{
    DATA_PORT &= (uint8_t)~_BV(DATA_BIT); /* first: a data line held low lights nothing */
    DATA_DDR |= _BV(DATA_BIT);
    cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

uint8_t watchdog_reset_cause(void)
{
    return cause;
}

void watchdog_start(void)
{
    wdt_enable(WDTO_500MS);
}

void watchdog_feed(void)
{
    wdt_reset();
}
