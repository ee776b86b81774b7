/* See line.h. Handlers replace simavr's own for the registers of USART 0; its interrupt vectors stay in use. */
#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_cycle_timers.h>
#include <simavr/sim_interrupts.h>
#include <simavr/sim_io.h>

#define UCSR0A 0xC0
#define UCSR0B 0xC1
#define UBRR0L 0xC4
#define UBRR0H 0xC5
#define UDR0 0xC6
enum { RXC = 0x80, TXC = 0x40, UDRE = 0x20, FE = 0x10, DOR = 0x08, U2X = 0x02 };
enum { RXCIE = 0x80, UDRIE = 0x20, RXEN = 0x10, TXEN = 0x08 };
#define BITS_PER_BYTE 10
#define MASK (LINE_WAITING - 1)

static uint32_t cycles_per_bit(const line *l)
{
    const uint8_t *data = l->avr->data;
    return (data[UBRR0L] + 256u * (data[UBRR0H] & 15) + 1) * (data[UCSR0A] & U2X ? 8 : 16);
}

/* ---- from the host */

/* The wire at a moment: the bytes that wait, each with its start bit, eight bits and stop bit; high in between. */
static bool level_at(line *l, double cycle)
{
    while (l->waiting_out != l->waiting_in) {
        uint32_t at = l->waiting_out & MASK;
        if (cycle < l->starts[at])
            return true;
        int bit = (int)((cycle - l->starts[at]) / l->host_cycles_per_bit);
        if (bit < BITS_PER_BYTE)
            return bit == 0 ? false : bit == BITS_PER_BYTE - 1 ? true : l->waiting[at] >> (bit - 1) & 1;
        l->waiting_out++;
    }
    return true;
}

/* The next moment from `cycle` on at which the wire falls, or a negative number. */
static double next_fall(line *l, double cycle)
{
    level_at(l, cycle); /* forgets what is over */
    for (uint32_t n = l->waiting_out; n != l->waiting_in; n++) {
        bool before = true;
        for (int bit = 0; bit < BITS_PER_BYTE; bit++) {
            bool now = bit == 0 ? false : bit == BITS_PER_BYTE - 1 ? true : l->waiting[n & MASK] >> (bit - 1) & 1;
            double begins = l->starts[n & MASK] + bit * l->host_cycles_per_bit;
            if (before && !now && begins >= cycle)
                return begins;
            before = now;
        }
    }
    return -1;
}

static void tell_received(line *l)
{
    l->avr->data[UCSR0A] |= RXC;
    avr_raise_interrupt(l->avr, &l->uart->rxc);
}

static void take(line *l, uint8_t byte, uint8_t error)
{
    if (l->fifo_count < 2) {
        l->fifo[l->fifo_count] = byte;
        l->fifo_error[l->fifo_count++] = error;
        tell_received(l);
    } else {
        if (l->is_shift_full) {
            l->has_overrun = true;
            l->n_lost++;
        }
        l->is_shift_full = true;
        l->shift = byte;
        l->shift_error = error;
    }
}

static void listen(line *l, double from);

static avr_cycle_count_t byte_is_in(avr_t *avr, avr_cycle_count_t when, void *param)
{
    line *l = param;
    (void)avr;
    l->is_listening = false;
    if (avr->data[UCSR0B] & RXEN)
        take(l, l->incoming, l->incoming_error);
    listen(l, (double)when);
    return 0;
}

/* The receiver samples each bit in its middle, by its own clock; the byte is there at the middle of the stop bit. */
static void listen(line *l, double from)
{
    if (l->is_listening)
        return;
    double fall = next_fall(l, from);
    if (fall < 0)
        return;
    double bit_cycles = cycles_per_bit(l), now = (double)l->avr->cycle;
    uint32_t out = l->waiting_out;
    l->incoming = 0;
    for (int bit = 0; bit < 8; bit++)
        l->incoming |= (uint8_t)(level_at(l, fall + (bit + 1.5) * bit_cycles) << bit);
    double end = fall + 9.5 * bit_cycles;
    l->incoming_error = level_at(l, end) ? 0 : FE;
    l->waiting_out = out; /* the rest of the wire is looked at again when this byte is over */
    l->is_listening = true;
    avr_cycle_timer_register(l->avr, end > now + 1 ? (avr_cycle_count_t)(end - now) : 1, byte_is_in, l);
}

bool line_send(line *l, uint8_t byte)
{
    if (l->waiting_in - l->waiting_out >= LINE_WAITING)
        return false;
    double now = (double)l->avr->cycle;
    double start = l->host_free_at > now ? l->host_free_at : now;
    l->waiting[l->waiting_in & MASK] = byte;
    l->starts[l->waiting_in++ & MASK] = start;
    l->host_free_at = start + BITS_PER_BYTE * l->host_cycles_per_bit;
    listen(l, now);
    return true;
}

bool line_is_idle(const line *l)
{
    return !l->is_listening && (double)l->avr->cycle >= l->host_free_at;
}

static uint8_t read_data(avr_t *avr, avr_io_addr_t addr, void *param)
{
    line *l = param;
    (void)avr, (void)addr;
    uint8_t byte = l->fifo[0];
    if (l->fifo_count) {
        l->fifo[0] = l->fifo[1];
        l->fifo_error[0] = l->fifo_error[1];
        l->fifo_count--;
        l->has_overrun = false;
    }
    if (l->is_shift_full) {
        l->fifo[l->fifo_count] = l->shift;
        l->fifo_error[l->fifo_count++] = l->shift_error;
        l->is_shift_full = false;
    }
    l->avr->data[UCSR0A] &= (uint8_t)~RXC;
    avr_clear_interrupt(l->avr, &l->uart->rxc);
    if (l->fifo_count)
        tell_received(l);
    return byte;
}

static uint8_t read_status(avr_t *avr, avr_io_addr_t addr, void *param)
{
    line *l = param;
    (void)addr;
    uint8_t status = avr->data[UCSR0A] & U2X;
    status |= (l->fifo_count ? RXC | l->fifo_error[0] : 0) | (l->is_next_full ? 0 : UDRE) | (l->has_overrun ? DOR : 0);
    return status | (l->is_sending ? 0 : TXC);
}

/* ---- to the host */

static void tell_room(line *l)
{
    l->avr->data[UCSR0A] |= UDRE;
    avr_raise_interrupt(l->avr, &l->uart->udrc);
}

static avr_cycle_count_t look_up(avr_t *avr, avr_cycle_count_t when, void *param)
{
    (void)avr, (void)when, (void)param;
    return 0;
}

static avr_cycle_count_t byte_is_out(avr_t *avr, avr_cycle_count_t when, void *param)
{
    line *l = param;
    avr_cycle_timer_register(avr, 1, look_up, l); /* or a sleeping chip would sleep on before anybody could see it */
    l->sent_cycles[l->sent_in & MASK] = when;
    l->sent[l->sent_in++ & MASK] = l->sending;
    l->is_sending = l->is_next_full;
    if (!l->is_sending)
        return 0;
    l->sending = l->next;
    l->is_next_full = false;
    tell_room(l);
    return when + BITS_PER_BYTE * cycles_per_bit(l);
}

static void write_data(avr_t *avr, avr_io_addr_t addr, uint8_t byte, void *param)
{
    line *l = param;
    (void)addr;
    avr_clear_interrupt(avr, &l->uart->udrc);
    if (l->is_sending) {
        l->next = byte;
        l->is_next_full = true;
        avr->data[UCSR0A] &= (uint8_t)~UDRE;
        return;
    }
    l->sending = byte;
    l->is_sending = true;
    avr_cycle_timer_register(avr, BITS_PER_BYTE * cycles_per_bit(l), byte_is_out, l);
    tell_room(l);
}

static void write_control(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
    line *l = param;
    uint8_t newly = value & (uint8_t)~avr->data[addr];
    avr->data[addr] = value;
    if (!(value & UDRIE))
        avr_clear_interrupt(avr, &l->uart->udrc);
    if ((newly & UDRIE) && !l->is_next_full)
        tell_room(l);
    if ((newly & RXCIE) && l->fifo_count)
        tell_received(l);
}

static void write_status(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    avr->data[addr] = (uint8_t)((avr->data[addr] & ~U2X) | (value & U2X));
}

static void write_divisor(avr_t *avr, avr_io_addr_t addr, uint8_t value, void *param)
{
    (void)param;
    avr->data[addr] = value;
}

static void set_read(avr_t *avr, avr_io_addr_t addr, avr_io_read_t handler, void *param)
{
    avr->io[AVR_DATA_TO_IO(addr)].r.c = handler;
    avr->io[AVR_DATA_TO_IO(addr)].r.param = param;
}

static void set_write(avr_t *avr, avr_io_addr_t addr, avr_io_write_t handler, void *param)
{
    avr->io[AVR_DATA_TO_IO(addr)].w.c = handler;
    avr->io[AVR_DATA_TO_IO(addr)].w.param = param;
}

void line_attach(line *l, avr_t *avr)
{
    l->avr = avr;
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (strcmp(io->kind, "uart") == 0)
            l->uart = (avr_uart_t *)io;
    if (!l->uart) {
        fprintf(stderr, "this simavr has no UART for the chip\n");
        abort();
    }
    set_read(avr, UDR0, read_data, l);
    set_read(avr, UCSR0A, read_status, l);
    set_write(avr, UDR0, write_data, l);
    set_write(avr, UCSR0A, write_status, l);
    set_write(avr, UCSR0B, write_control, l);
    set_write(avr, UBRR0L, write_divisor, l);
}

void line_reset(line *l)
{
    avr_cycle_timer_cancel(l->avr, byte_is_in, l);
    avr_cycle_timer_cancel(l->avr, byte_is_out, l);
    l->is_listening = l->is_shift_full = l->has_overrun = l->is_sending = l->is_next_full = false;
    l->fifo_count = 0;
    l->waiting_out = l->waiting_in; /* what is on the wire while the chip starts is lost */
    l->host_free_at = 0;
}
