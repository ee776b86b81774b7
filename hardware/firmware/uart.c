/* The serial line: bytes in and out by interrupts.
 *
 * The chip buffers two bytes and one in its shift register. Interrupts are off for one LED at a time (30 us), in which at
 * most two bytes arrive at 500000 baud, so none is lost.
 */
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

#include "board.h"

#define DIVISOR ((F_CPU + 4 * BAUD) / (8 * BAUD) - 1) /* double speed; 115200 is really 117647, 2.1 % too fast */
#define TX_BYTES 64                                   /* twice the longest message */

static volatile uint8_t rx[256]; /* indexed by 8 bits */
#define MOST_WAITING 254         /* one less than fits, so that in_doubt fits into 8 bits */
static volatile uint8_t rx_in, rx_out;
static volatile uint8_t tx[TX_BYTES];
static volatile uint8_t tx_in, tx_out;
static volatile uint16_t hw_overruns, ring_overruns;
/* The number of bytes, from the next to be read on, that may be damaged or incomplete: the bytes that waited when one was
 * lost or misframed, and the one behind the gap. */
static volatile uint8_t in_doubt;
static bool is_damaged; /* such a byte was read */

ISR(USART_RX_vect)
{
    uint8_t status = UCSR0A; /* read before UDR0: it belongs to that byte */
    uint8_t byte = UDR0;
    uint8_t waiting = rx_in - rx_out;
    bool is_lost = waiting == MOST_WAITING;
    if (is_lost) {
        ring_overruns++;
    } else {
        rx[rx_in] = byte;
        rx_in++;
        waiting++;
    }
    if (status & _BV(DOR0))
        hw_overruns++;
    if (is_lost || status & (_BV(DOR0) | _BV(FE0)))
        in_doubt = waiting + 1;
}

ISR(USART_UDRE_vect)
{
    if (tx_in == tx_out) {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
        return;
    }
    UDR0 = tx[tx_out];
    tx_out = (tx_out + 1) % TX_BYTES;
}

void uart_start(void)
{
    UBRR0 = DIVISOR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool uart_is_empty(void)
{
    return rx_in == rx_out;
}

int16_t uart_get(void)
{
    if (uart_is_empty())
        return -1;
    uint8_t byte = rx[rx_out];
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        rx_out++;
        if (in_doubt) {
            in_doubt--;
            is_damaged = true;
        }
    }
    return byte;
}

void uart_put(uint8_t byte)
{
    uint8_t next = (tx_in + 1) % TX_BYTES;
    while (next == tx_out)
        ;
    tx[tx_in] = byte;
    tx_in = next;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        UCSR0B |= _BV(UDRIE0);
    }
}

bool uart_take_damage(void)
{
    bool was_damaged = is_damaged;
    is_damaged = false;
    return was_damaged;
}

static uint16_t whole(volatile uint16_t *count)
{
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        value = *count;
    }
    return value;
}

uint16_t uart_hw_overruns(void)
{
    return whole(&hw_overruns);
}

uint16_t uart_ring_overruns(void)
{
    return whole(&ring_overruns);
}
