/* The hardware watchdog: a firmware that hangs starts again by itself, and tells why it started. */
#include "watchdog.h"

#include <avr/io.h>
#include <avr/wdt.h>

#include "board.h"

#if HARDWARE_WATCHDOG_MS != 500
#error "WDTO_500MS below is HARDWARE_WATCHDOG_MS"
#endif

static uint8_t cause __attribute__((section(".noinit")));

/* Before main and before the variables are cleared: after a reset by the watchdog it goes on running, at 16 ms. */
void watchdog_tame(void) __attribute__((naked, used, section(".init3")));
void watchdog_tame(void)
{
    DATA_PORT &= (uint8_t)~_BV(DATA_BIT); /* first of all: a data line that is held low lights nothing */
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
