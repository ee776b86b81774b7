/* The data line of the strip, timed by counting cycles at 16 MHz.
 *
 * A bit takes 20 cycles, 1.25 us: high for 5 (0: 312 ns) or 13 (1: 812 ns), then low. All three bytes of an LED are in
 * registers before its first bit, and the 24 bits are one block of assembler; otherwise the compiler would load bytes in
 * between and stretch a low. Interrupts are off for one LED at a time, 30 us. Between two LEDs the line is low for 2 us
 * longer, or for as long as pending interrupts take. LEDs latch after more than 50 us, old ones perhaps after 6.
 */
#include "ws2812.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdbool.h>

#include "board.h"
#include "clock.h"

#if F_CPU != 16000000UL
#error "the cycles below are counted for 16 MHz"
#endif

#define LATCH_US 320 /* V5 parts need more than 280 */
#define LATCH_STEPS (LATCH_US / CLOCK_STEP_US + 1)

#define TWO_CYCLES "rjmp .+0\n\t"
#define BIT(byte, n)                                                                                                   \
    "out %[port], %[high]\n\t"          /* 0 */                                                                        \
    TWO_CYCLES "nop\n\t"                /* 1 */                                                                        \
    "sbrs %[" byte "], " #n "\n\t"      /* 4: a one skips what follows */                                              \
    "out %[port], %[low]\n\t"           /* 5 */                                                                        \
    TWO_CYCLES TWO_CYCLES TWO_CYCLES "nop\n\t" /* 6 */                                                                 \
    "out %[port], %[low]\n\t"           /* 13 */                                                                       \
    TWO_CYCLES TWO_CYCLES TWO_CYCLES    /* 14 to 19 */
#define BYTE(byte)                                                                                                     \
    BIT(byte, 7) BIT(byte, 6) BIT(byte, 5) BIT(byte, 4) BIT(byte, 3) BIT(byte, 2) BIT(byte, 1) BIT(byte, 0)

static uint16_t last_end;
static bool is_latching;

static inline __attribute__((always_inline)) void clock_out(uint8_t r, uint8_t g, uint8_t b)
{
    uint8_t low = DATA_PORT & (uint8_t)~_BV(DATA_BIT);
    uint8_t high = low | _BV(DATA_BIT);
    cli();
    __asm__ volatile(BYTE("g") BYTE("r") BYTE("b")
                     :
                     : [port] "I"(_SFR_IO_ADDR(DATA_PORT)), [high] "r"(high), [low] "r"(low), [r] "r"(r), [g] "r"(g),
                       [b] "r"(b));
    sei();
}

void ws2812_wait_latch(void)
{
    while (is_latching && (uint16_t)(clock_steps() - last_end) < LATCH_STEPS)
        ;
    is_latching = false;
}

void ws2812_show(const uint8_t *rgb, uint8_t n_led)
{
    ws2812_wait_latch();
    clock_mute_wake_up();
    for (; n_led; n_led--, rgb += BYTES_PER_LED)
        clock_out(rgb[0], rgb[1], rgb[2]);
    last_end = clock_steps();
    is_latching = true;
    clock_unmute_wake_up();
}
