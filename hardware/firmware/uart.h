#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stdint.h>

void uart_start(void);

/* The next byte received, or -1. */
int16_t uart_get(void);
bool uart_is_empty(void);

/* Sends a byte; waits while 63 bytes are pending. */
void uart_put(uint8_t byte);

/* Whether a byte was lost or misframed among the bytes from uart_get since the last call. */
bool uart_take_damage(void);

uint16_t uart_hw_overruns(void);
uint16_t uart_ring_overruns(void);

#endif
