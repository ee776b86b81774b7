/* The compiled firmware in a simulated ATmega328P, in virtual time: nothing here looks at a clock. For ctypes and for
 * pty_board.c. Times are cycles of 62.5 ns since the chip was made.
 */
#ifndef CHIP_H
#define CHIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strip.h"

typedef struct chip chip;

/* NULL when the file cannot be loaded. */
chip *chip_new(const char *elf_path, uint32_t host_baud);
void chip_free(chip *c);

/* Power was off: random memory, dark strip. Cause 1 of MCUSR. */
void chip_power_on(chip *c, uint32_t seed);
/* The reset pin (cause 2), a brown-out (4): memory and strip keep what they had. `bootloader_ms`: so long nobody listens. */
void chip_reset(chip *c, uint8_t cause, uint32_t bootloader_ms);
/* The firmware stops where it is, interrupts still served. */
void chip_hang(chip *c);

uint64_t chip_cycle(const chip *c);
/* Runs to that cycle, or until a byte has come out when asked to. False when the program has crashed. */
bool chip_run(chip *c, uint64_t until_cycle, bool stop_at_output);

/* The number of bytes taken. */
size_t chip_send(chip *c, const uint8_t *bytes, size_t count);
size_t chip_receive(chip *c, uint8_t *bytes, uint64_t *cycles, size_t most);
bool chip_line_is_idle(const chip *c);
uint64_t chip_bytes_lost(const chip *c);
void chip_set_host_baud(chip *c, uint32_t baud);

/* n_leds -1: no strip. delay_ns: how much later each LED hands on what it does not keep. */
void chip_set_strip(chip *c, int32_t n_leds, bool has_return, uint32_t delay_ns);
void chip_set_rail_mv(chip *c, uint32_t mv);
uint32_t chip_resets(const chip *c);

uint64_t chip_pictures(const chip *c);
uint64_t chip_lit_pictures(const chip *c);
/* Picture `number` of chip_pictures(); false when it is forgotten. rgb: 3 * STRIP_MOST_LEDS bytes. */
bool chip_picture(const chip *c, uint64_t number, uint8_t *rgb, uint32_t *n_bits, uint64_t *last_bit_cycle);
/* What the strip shows. */
void chip_lit(const chip *c, uint8_t *rgb);
void chip_timing(const chip *c, strip_timing *timing);
void chip_forget_timing(chip *c);

#endif
