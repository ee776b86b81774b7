/* The serial line as the ATmega328P has it: bits sampled at the chip's own rate, a FIFO of two bytes behind the shift
 * register, overrun and framing errors; and its sender. simavr's own model holds 64 bytes and takes 11 bits a byte, so
 * it can judge no loss.
 */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#define LINE_WAITING 65536 /* bytes the host may queue; a power of two */

typedef struct {
    avr_t *avr;
    avr_uart_t *uart;

    /* from the host */
    double host_cycles_per_bit;
    uint8_t waiting[LINE_WAITING];
    double starts[LINE_WAITING];
    uint32_t waiting_in, waiting_out;
    double host_free_at;
    bool is_listening;
    uint8_t incoming, incoming_error;

    uint8_t fifo[2], fifo_error[2];
    uint8_t fifo_count;
    bool is_shift_full;
    uint8_t shift, shift_error;
    bool has_overrun;
    uint64_t n_lost;

    /* to the host */
    bool is_sending, is_next_full;
    uint8_t sending, next;
    uint8_t sent[LINE_WAITING];
    uint64_t sent_cycles[LINE_WAITING];
    uint32_t sent_in, sent_out;
} line;

void line_attach(line *l, avr_t *avr);
void line_reset(line *l);

/* Puts a byte on the wire behind those that wait; false when too many wait. */
bool line_send(line *l, uint8_t byte);
bool line_is_idle(const line *l);

#endif
