/* The configuration of the board: pins, strip, wiring. Options of make change it: `make N_LED=72 BAUD=500000`. */
#ifndef BOARD_H
#define BOARD_H

#include "protocol.h"

#define FW_MAJOR 1
#define FW_MINOR 0

#ifndef N_LED
#define N_LED MAX_LEDS
#endif
#ifndef BAUD
#define BAUD 115200UL
#endif
#ifndef MAX_MA
#define MAX_MA CURRENT_CAP_MAX_MA /* the limit of the supply, whatever the host requests */
#endif
#ifndef BUILD_ID
#define BUILD_ID 0UL /* the Makefile gives the checksum of the sources */
#endif
#ifndef HAS_RAIL_SENSE
#define HAS_RAIL_SENSE 1 /* 47 k from the strip's 5 V to A0, 10 k from A0 to ground */
#endif
#ifndef HAS_CHAIN_RETURN
#define HAS_CHAIN_RETURN 1 /* the last LED's DOUT to D8 through 330 ohm */
#endif

#if N_LED < 1 || N_LED > MAX_LEDS
#error "N_LED is 1 to MAX_LEDS"
#endif
#if BAUD > 500000UL
#error "BAUD is at most 500000: the chip holds no more bytes while an LED is clocked out"
#endif
#if MAX_MA < 1 || MAX_MA > CURRENT_CAP_MAX_MA
#error "MAX_MA is 1 to CURRENT_CAP_MAX_MA"
#endif

/* Arduino names: the strip's data on D6 (PD6), the return wire on D8 (PB0, which is also Timer 1's capture pin), the
 * rail's divider on A0 (ADC0). */
#define DATA_PORT PORTD
#define DATA_DDR DDRD
#define DATA_BIT 6
#define RETURN_PORT PORTB
#define RETURN_PIN PINB
#define RETURN_BIT 0
#define RAIL_CHANNEL 0
/* Millivolts at 1024 counts of the 1.1 V reference behind 47 k and 10 k: 1100 * 57 / 10. */
#define RAIL_FULL_MV 6270

#define CAPABILITIES                                                                                                   \
    ((HAS_RAIL_SENSE ? CAP_RAIL_VOLTAGE : 0) | (HAS_CHAIN_RETURN ? CAP_CHAIN_RETURN : 0) | CAP_HARDWARE_WATCHDOG |     \
     CAP_GOODBYE)

#endif
