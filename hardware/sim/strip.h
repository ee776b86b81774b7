/* A strip of WS2812B at the data pin, fed with the edges of that pin. Times are cycles of 62.5 ns. */
#ifndef STRIP_H
#define STRIP_H

#include <stdbool.h>
#include <stdint.h>

#define STRIP_MOST_LEDS 160
#define STRIP_PICTURES 64

/* What left the pin between two latches. */
typedef struct {
    uint64_t last_bit_cycle;
    uint32_t n_bits;
    uint8_t rgb[STRIP_MOST_LEDS * 3];
} strip_picture;

/* Longest and shortest of each part of a bit; `gap` is the low between two LEDs. */
typedef struct {
    uint32_t t0h_min, t0h_max, t1h_min, t1h_max, t0l_min, t0l_max, t1l_min, t1l_max, gap_min, gap_max;
    uint64_t n_bits;
    uint64_t n_faults; /* pulses that are no bit, and lows that may or may not latch */
} strip_timing;

typedef struct {
    int32_t n_leds;        /* really in the strip; -1: none is connected */
    bool has_return;       /* whether the last DOUT is wired back */
    uint8_t lit[STRIP_MOST_LEDS * 3];
    strip_picture pictures[STRIP_PICTURES]; /* the last ones */
    uint64_t n_pictures;
    strip_timing timing;
    uint64_t n_lit_pictures; /* of n_pictures, those with any light */

    strip_picture current;
    bool is_high;
    bool last_bit;
    uint64_t rose, fell;
} strip;

void strip_power_on(strip *s);
void strip_forget_timing(strip *s);

/* Gives true when the edge comes out of the last LED. */
bool strip_edge(strip *s, bool is_high, uint64_t cycle);

/* Latches what has been clocked out when the line was low long enough. */
void strip_settle(strip *s, uint64_t cycle);

#endif
