#include "chip.h"

#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_watchdog.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <simavr/sim_irq.h>

#include "line.h"

#define HZ 16000000u
#define MCUSR 0x54
#define DATA_BIT 6    /* PD6 */
#define RETURN_BIT 0  /* PB0 */
#define RAIL_CHANNEL ADC_IRQ_ADC0
#define DIVIDED(mv) ((mv)*10 / 57) /* 47 k and 10 k */
#define ECHOES 1024
#define STEP_CYCLES 160 /* a run that ends sooner would make no progress */

typedef struct {
    uint64_t when;
    bool is_high;
} echo;

struct chip {
    avr_t *avr;
    line line;
    strip strip;
    uint32_t delay_cycles; /* through the whole strip */
    avr_irq_t *return_irq, *rail_irq;
    uint32_t rail_mv;
    echo echoes[ECHOES];
    uint32_t echoes_in, echoes_out;
    bool is_reset_seen;
    uint32_t n_resets;
    uint8_t hung_code[2];
    uint32_t hung_at;
    bool is_hung;
    uint64_t asleep_until; /* in the bootloader */
    uint8_t cause;
};

/* ---- the strip and its return wire */

static avr_cycle_count_t hand_back(avr_t *avr, avr_cycle_count_t when, void *param)
{
    chip *c = param;
    (void)avr, (void)when;
    echo now = c->echoes[c->echoes_out++ % ECHOES];
    avr_raise_irq(c->return_irq, now.is_high);
    return c->echoes_out == c->echoes_in ? 0 : c->echoes[c->echoes_out % ECHOES].when;
}

static void data_pin_moved(avr_irq_t *irq, uint32_t value, void *param)
{
    chip *c = param;
    (void)irq;
    if (!strip_edge(&c->strip, value & 1, c->avr->cycle))
        return;
    bool is_waiting = c->echoes_in != c->echoes_out;
    uint64_t when = c->avr->cycle + c->delay_cycles + 1;
    c->echoes[c->echoes_in++ % ECHOES] = (echo){when, value & 1};
    if (!is_waiting)
        avr_cycle_timer_register(c->avr, when - c->avr->cycle, hand_back, c);
}

static void tell_rail(avr_irq_t *irq, uint32_t value, void *param)
{
    chip *c = param;
    (void)irq, (void)value;
    avr_raise_irq(c->rail_irq, DIVIDED(c->rail_mv));
}

/* ---- making and starting */

static void no_real_sleep(avr_t *avr, avr_cycle_count_t cycles)
{
    (void)avr, (void)cycles;
}

static void no_log(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static void wire(chip *c)
{
    avr_t *avr = c->avr;
    avr_irq_t *data = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), DATA_BIT);
    avr_irq_register_notify(data, data_pin_moved, c);
    c->return_irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), RETURN_BIT);
    c->rail_irq = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, RAIL_CHANNEL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_OUT_TRIGGER), tell_rail, c);
    line_attach(&c->line, avr);
}

chip *chip_new(const char *elf_path, uint32_t host_baud)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    avr_global_logger_set(no_log);
    if (elf_read_firmware(elf_path, &firmware) != 0)
        return NULL;
    chip *c = calloc(1, sizeof *c);
    c->avr = avr_make_mcu_by_name("atmega328p");
    avr_init(c->avr);
    firmware.frequency = HZ;
    firmware.vcc = firmware.avcc = firmware.aref = 5000;
    avr_load_firmware(c->avr, &firmware);
    c->avr->log = LOG_NONE;
    c->avr->sleep = no_real_sleep;
    wire(c);
    c->rail_mv = 5000;
    strip_forget_timing(&c->strip);
    chip_set_host_baud(c, host_baud);
    chip_set_strip(c, 120, true, 200);
    chip_power_on(c, 1);
    return c;
}

void chip_free(chip *c)
{
    avr_terminate(c->avr);
    free(c);
}

static void forget_hang(chip *c)
{
    if (c->is_hung)
        memcpy(c->avr->flash + c->hung_at, c->hung_code, 2);
    c->is_hung = false;
}

static void start(chip *c, uint8_t cause, uint32_t bootloader_ms)
{
    forget_hang(c);
    uint64_t now = c->avr->cycle; /* a reset does not turn back the time */
    avr_reset(c->avr);
    c->avr->cycle = now;
    c->avr->state = cpu_Running;
    c->avr->data[MCUSR] = cause;
    c->cause = cause;
    c->echoes_in = c->echoes_out = 0;
    line_reset(&c->line);
    c->asleep_until = now + (uint64_t)bootloader_ms * (HZ / 1000);
}

void chip_power_on(chip *c, uint32_t seed)
{
    for (uint32_t at = 0x100; at <= c->avr->ramend; at++) {
        seed = seed * 1664525u + 1013904223u;
        c->avr->data[at] = (uint8_t)(seed >> 24);
    }
    strip_power_on(&c->strip);
    start(c, 1, 0);
}

void chip_reset(chip *c, uint8_t cause, uint32_t bootloader_ms)
{
    start(c, cause, bootloader_ms);
    c->n_resets++;
}

void chip_hang(chip *c)
{
    if (c->is_hung)
        return;
    c->is_hung = true;
    c->hung_at = c->avr->pc;
    memcpy(c->hung_code, c->avr->flash + c->hung_at, 2);
    c->avr->flash[c->hung_at] = 0xFF; /* rjmp to itself */
    c->avr->flash[c->hung_at + 1] = 0xCF;
    c->avr->state = cpu_Running;
}

/* ---- running */

static avr_cycle_count_t stop_here(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when, (void)param;
    return 0;
}

/* simavr starts the chip again by itself when the watchdog bites, and the line must follow. */
static void follow_watchdog(chip *c, avr_run_t usual)
{
    if (c->avr->run == usual)
        return;
    uint64_t now = c->avr->cycle;
    avr_run(c->avr); /* the run that resets */
    c->avr->cycle = now;
    forget_hang(c);
    c->echoes_in = c->echoes_out = 0;
    line_reset(&c->line);
    c->n_resets++;
}

bool chip_run(chip *c, uint64_t until_cycle, bool stop_at_output)
{
    avr_t *avr = c->avr;
    if (avr->cycle < c->asleep_until) { /* the bootloader: the wire goes on, nobody listens */
        uint64_t to = c->asleep_until < until_cycle ? c->asleep_until : until_cycle;
        if (to > avr->cycle)
            avr->cycle = to;
        if (avr->cycle < c->asleep_until)
            return true;
        start(c, c->cause, 0);
    }
    if (until_cycle < avr->cycle + STEP_CYCLES)
        until_cycle = avr->cycle + STEP_CYCLES;
    uint32_t sent = c->line.sent_in;
    avr_run_t usual = avr->run;
    avr_cycle_timer_register(avr, until_cycle - avr->cycle, stop_here, c);
    while (avr->cycle < until_cycle) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed)
            return false;
        follow_watchdog(c, usual);
        if (stop_at_output && c->line.sent_in != sent)
            break;
    }
    avr_cycle_timer_cancel(avr, stop_here, c);
    strip_settle(&c->strip, avr->cycle);
    return true;
}

uint64_t chip_cycle(const chip *c)
{
    return c->avr->cycle;
}

/* ---- the line */

size_t chip_send(chip *c, const uint8_t *bytes, size_t count)
{
    if (c->avr->cycle < c->asleep_until)
        return count; /* the bootloader eats them */
    size_t taken = 0;
    while (taken < count && line_send(&c->line, bytes[taken]))
        taken++;
    return taken;
}

size_t chip_receive(chip *c, uint8_t *bytes, uint64_t *cycles, size_t most)
{
    line *l = &c->line;
    size_t count = 0;
    for (; count < most && l->sent_out != l->sent_in; count++, l->sent_out++) {
        bytes[count] = l->sent[l->sent_out % LINE_WAITING];
        if (cycles)
            cycles[count] = l->sent_cycles[l->sent_out % LINE_WAITING];
    }
    return count;
}

bool chip_line_is_idle(const chip *c)
{
    return line_is_idle(&c->line);
}

uint64_t chip_bytes_lost(const chip *c)
{
    return c->line.n_lost;
}

void chip_set_host_baud(chip *c, uint32_t baud)
{
    c->line.host_cycles_per_bit = (double)HZ / baud;
}

/* ---- what is around the chip */

void chip_set_strip(chip *c, int32_t n_leds, bool has_return, uint32_t delay_ns)
{
    c->strip.n_leds = n_leds;
    c->strip.has_return = has_return;
    c->delay_cycles = (uint32_t)((uint64_t)(n_leds > 0 ? n_leds : 0) * delay_ns * (HZ / 1000000) / 1000);
}

void chip_set_rail_mv(chip *c, uint32_t mv)
{
    c->rail_mv = mv;
}

uint32_t chip_resets(const chip *c)
{
    return c->n_resets;
}

uint64_t chip_pictures(const chip *c)
{
    return c->strip.n_pictures;
}

uint64_t chip_lit_pictures(const chip *c)
{
    return c->strip.n_lit_pictures;
}

bool chip_picture(const chip *c, uint64_t number, uint8_t *rgb, uint32_t *n_bits, uint64_t *last_bit_cycle)
{
    if (number >= c->strip.n_pictures || c->strip.n_pictures - number > STRIP_PICTURES)
        return false;
    const strip_picture *picture = &c->strip.pictures[number % STRIP_PICTURES];
    memcpy(rgb, picture->rgb, sizeof picture->rgb);
    *n_bits = picture->n_bits;
    *last_bit_cycle = picture->last_bit_cycle;
    return true;
}

void chip_lit(const chip *c, uint8_t *rgb)
{
    memcpy(rgb, c->strip.lit, sizeof c->strip.lit);
}

void chip_timing(const chip *c, strip_timing *timing)
{
    *timing = c->strip.timing;
}

void chip_forget_timing(chip *c)
{
    strip_forget_timing(&c->strip);
}
