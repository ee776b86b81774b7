/* A firmware that does everything wrong, to prove that the simulator sees it: a strip with bad bits, and a receiver that
 * is deaf for 2 ms from its first byte on, then says how many bytes it still got, whether one was overrun, and which.
 */
#include <avr/io.h>
#include <util/delay.h>

#define HIGH() (PORTD |= _BV(6))
#define LOW() (PORTD &= (uint8_t)~_BV(6))

static void bits(uint8_t count)
{
    while (count--) {
        HIGH();
        _delay_us(0.25);
        LOW();
        _delay_us(0.5);
    }
}

static void wrong_pictures(void)
{
    bits(24); /* right: one dark LED */
    _delay_us(400);
    bits(23); /* a bit is missing */
    _delay_us(400);
    bits(10);
    _delay_us(60); /* some kinds latch here */
    bits(14);
    _delay_us(400);
    HIGH();
    _delay_us(2); /* no bit at all */
    LOW();
    bits(23);
    _delay_us(400);
}

static void send(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

int main(void)
{
    DDRD |= _BV(6);
    UBRR0 = 16;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    wrong_pictures();
    for (;;) {
        while (!(UCSR0A & _BV(RXC0)))
            ;
        _delay_ms(2);
        uint8_t count = 0, overrun = 0, got[4];
        while (UCSR0A & _BV(RXC0)) {
            overrun |= UCSR0A & _BV(DOR0);
            got[count++ % 4] = UDR0;
        }
        send(count);
        send(overrun ? 1 : 0);
        for (uint8_t at = 0; at < count; at++)
            send(got[at]);
    }
}
