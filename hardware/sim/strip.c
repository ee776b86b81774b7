/* What WS2812B LEDs make of a waveform, by the data sheet: a high of 400 ns +-150 is a zero, of 800 ns +-150 a one; the
 * low that follows is 850 +-150 or 450 +-150; a low of more than 280 us (the V5 kind; 50 for the older) shows what was
 * clocked in. Between two LEDs any low is a bit's low as long as nothing latches, which old parts may do at 6 us.
 */
#include "strip.h"

#include <string.h>

#define CYCLES_PER_US 16
#define NS(ns) ((uint32_t)((ns) * CYCLES_PER_US / 1000))
#define ONE_FROM NS(600)
#define HIGH_SHORTEST NS(250)
#define HIGH_LONGEST NS(950)
#define LATCHES (280 * CYCLES_PER_US)
#define MAY_LATCH (50 * CYCLES_PER_US)
#define BITS_PER_LED 24

static void note(uint32_t *least, uint32_t *most, uint64_t cycles)
{
    if (cycles < *least)
        *least = (uint32_t)cycles;
    if (cycles > *most)
        *most = (uint32_t)cycles;
}

void strip_forget_timing(strip *s)
{
    memset(&s->timing, 0, sizeof s->timing);
    strip_timing *t = &s->timing;
    t->t0h_min = t->t1h_min = t->t0l_min = t->t1l_min = t->gap_min = UINT32_MAX;
}

void strip_power_on(strip *s)
{
    memset(s->lit, 0, sizeof s->lit);
    memset(&s->current, 0, sizeof s->current);
    s->is_high = false;
    s->fell = 0;
}

static void latch(strip *s)
{
    strip_picture *now = &s->current;
    if (now->n_bits == 0)
        return;
    if (now->n_bits % BITS_PER_LED)
        s->timing.n_faults++;
    int32_t n_leds = (int32_t)(now->n_bits / BITS_PER_LED);
    if (n_leds > STRIP_MOST_LEDS)
        n_leds = STRIP_MOST_LEDS;
    if (n_leds > s->n_leds)
        n_leds = s->n_leds < 0 ? 0 : s->n_leds;
    memcpy(s->lit, now->rgb, (size_t)n_leds * 3);
    for (uint32_t at = 0; at < sizeof now->rgb; at++)
        if (now->rgb[at]) {
            s->n_lit_pictures++;
            break;
        }
    s->pictures[s->n_pictures++ % STRIP_PICTURES] = *now;
    memset(now, 0, sizeof *now);
}

void strip_settle(strip *s, uint64_t cycle)
{
    if (!s->is_high && cycle - s->fell >= LATCHES)
        latch(s);
}

static void rise(strip *s, uint64_t cycle)
{
    uint64_t low = cycle - s->fell;
    strip_settle(s, cycle);
    uint32_t n_bits = s->current.n_bits;
    if (n_bits && low >= MAY_LATCH)
        s->timing.n_faults++; /* some kinds have latched by now, others have not */
    else if (n_bits && n_bits % BITS_PER_LED == 0)
        note(&s->timing.gap_min, &s->timing.gap_max, low);
    else if (n_bits && s->last_bit)
        note(&s->timing.t1l_min, &s->timing.t1l_max, low);
    else if (n_bits)
        note(&s->timing.t0l_min, &s->timing.t0l_max, low);
    s->rose = cycle;
}

/* The wire carries green, red, blue, highest bit first. */
static void take_bit(strip *s, bool bit)
{
    static const uint8_t channel_of[3] = {1, 0, 2};
    uint32_t led = s->current.n_bits / BITS_PER_LED, at = s->current.n_bits % BITS_PER_LED;
    if (bit && led < STRIP_MOST_LEDS)
        s->current.rgb[led * 3 + channel_of[at / 8]] |= (uint8_t)(0x80 >> at % 8);
    s->current.n_bits++;
    s->last_bit = bit;
}

static void fall(strip *s, uint64_t cycle)
{
    uint64_t high = cycle - s->rose;
    bool bit = high >= ONE_FROM;
    if (high < HIGH_SHORTEST || high > HIGH_LONGEST)
        s->timing.n_faults++;
    if (bit)
        note(&s->timing.t1h_min, &s->timing.t1h_max, high);
    else
        note(&s->timing.t0h_min, &s->timing.t0h_max, high);
    s->timing.n_bits++;
    take_bit(s, bit);
    s->current.last_bit_cycle = cycle;
    s->fell = cycle;
}

bool strip_edge(strip *s, bool is_high, uint64_t cycle)
{
    if (is_high == s->is_high)
        return false;
    if (is_high)
        rise(s, cycle);
    /* Before the bit is counted: it still belongs to the LED that it was sent to. */
    uint32_t bit_now = s->current.n_bits;
    if (!is_high)
        fall(s, cycle);
    s->is_high = is_high;
    return s->has_return && s->n_leds >= 0 && bit_now >= (uint32_t)s->n_leds * BITS_PER_LED;
}
