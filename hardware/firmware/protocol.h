/* The constants of the wire protocol BGLP v1, equal to firmware_bridge/protocol/wire_constants.py.
 *
 * A test fails when they differ: change the Python file first. MSG_ is its MessageType, NAK_ its NakReason, FLAG_ its
 * AckFlag, CAP_ its Capability; other names are equal.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#define PROTOCOL_VERSION 1
#define MAGIC "BGLP"

#define MAX_LEDS 120
#define BYTES_PER_LED 3
#define BUFFER_BYTES 376
#define COBS_BLOCK 254

#define FROM_BOARD 0x80
#define UNASKED_SEQ 0
#define NO_SESSION 0

#define CRC_START 0xFFFF
#define CRC_POLYNOMIAL 0x1021

#define HOST_SILENCE_MS 2000
#define HOST_SILENCE_MIN_MS 250
#define HOST_SILENCE_MAX_MS 10000
#define MARKER_MS 10000
#define MARKER_RGB 24, 10, 0
#define HARDWARE_WATCHDOG_MS 500
#define CURRENT_CAP_MAX_MA 1500
#define RAIL_UNKNOWN_MV 0
#define CHAIN_NO_RETURN 255

#define MSG_HELLO 0x01
#define MSG_BYE 0x02
#define MSG_PIXELS 0x10
#define MSG_RUNS 0x11
#define MSG_PING 0x20
#define MSG_CHAIN 0x21
#define MSG_HELLO_OK 0x81
#define MSG_ACK 0x90
#define MSG_NAK 0x91
#define MSG_PONG 0xA0
#define MSG_CHAIN_COUNT 0xA1
#define MSG_BOOT 0xB0
#define MSG_LOST 0xB1

#define NAK_CRC 1
#define NAK_LEN 2
#define NAK_TYPE 3
#define NAK_NOSESSION 4
#define NAK_RANGE 5
#define NAK_VERSION 6
#define NAK_OVERFLOW 7

#define FLAG_LOST 1
#define FLAG_LIMITED 2

#define CAP_RAIL_VOLTAGE 1
#define CAP_CHAIN_RETURN 2
#define CAP_HARDWARE_WATCHDOG 4
#define CAP_GOODBYE 8
#define CAP_SIMULATED 0x8000

/* As in firmware_bridge/power.py. */
#define IDLE_MA 1
#define CHANNEL_MA 20

#endif
