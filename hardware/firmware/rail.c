/* The voltage of the strip's supply, by the ADC behind a divider, against the internal 1.1 V reference. That reference is
 * accurate to 10 %, but independent of the supply, which may also feed the chip. Conversions run in the background.
 */
#include "rail.h"

#include <avr/io.h>

#include "board.h"

#define SETTLING_MS 50 /* the reference charges the capacitor at AREF */
#define SUM_COUNT 8    /* conversions per result */

static uint16_t sum;
static uint8_t summed;
static uint16_t measured_mv = RAIL_UNKNOWN_MV;

void rail_start(void)
{
    ADMUX = _BV(REFS1) | _BV(REFS0) | RAIL_CHANNEL;
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0); /* 125 kHz */
    DIDR0 = _BV(RAIL_CHANNEL);
}

static void add(uint16_t counts)
{
    sum += counts;
    if (++summed < SUM_COUNT)
        return;
    measured_mv = (uint16_t)((uint32_t)sum * RAIL_FULL_MV / (1024UL * SUM_COUNT));
    if (measured_mv == RAIL_UNKNOWN_MV)
        measured_mv++; /* 0 V is a measurement too, unlike RAIL_UNKNOWN_MV */
    sum = 0;
    summed = 0;
}

void rail_poll(uint32_t now_ms)
{
    static uint8_t is_begun;
    if (!HAS_RAIL_SENSE || now_ms < SETTLING_MS || (ADCSRA & _BV(ADSC)))
        return;
    if (is_begun)
        add(ADC);
    is_begun = 1;
    ADCSRA |= _BV(ADSC);
}

uint16_t rail_mv(void)
{
    return measured_mv;
}
