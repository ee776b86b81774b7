/* The parts of the firmware that need no chip, as a filter: one line of answer for one line of question.
 *
 *     crc HEX                      checksum
 *     unit HEX                     the wire unit of a body without its checksum
 *     feed HEX                     what the receiver makes of these bytes: good HEX, damaged, too long, in order
 *     cap CAP_MA HEX               estimate of the picture, limited or not, picture within the cap, its estimate
 *     silence HOST_MS MS MS ...    a session, then looks at these times: what was due at each
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "framing.h"
#include "power.h"
#include "session.h"

#define MOST_BYTES 8192

static uint8_t bytes[MOST_BYTES];

static size_t read_hex(const char *text)
{
    size_t count = 0;
    unsigned byte;
    while (count < MOST_BYTES && sscanf(text, "%2x", &byte) == 1) {
        bytes[count++] = (uint8_t)byte;
        text += 2;
    }
    return count;
}

static void put(uint8_t byte)
{
    printf("%02x", byte);
}

static void print_hex(const uint8_t *from, size_t count)
{
    while (count--)
        put(*from++);
}

static void feed(size_t count)
{
    static const char *const names[] = {"", "good", "damaged", "long"};
    for (size_t at = 0; at < count; at++) {
        unit_state state = framing_feed(bytes[at]);
        if (state == UNIT_OPEN)
            continue;
        printf("%s ", names[state]);
        if (state == UNIT_GOOD) {
            print_hex(framing_body(), framing_body_length());
            printf(" ");
        }
    }
}

static void cap(char *arguments)
{
    uint16_t cap_ma = (uint16_t)strtoul(arguments, &arguments, 10);
    uint8_t n_led = (uint8_t)(read_hex(arguments + 1) / 3);
    printf("%u ", power_estimate_ma(bytes, n_led));
    bool is_limited = power_cap(bytes, n_led, cap_ma);
    printf("%d ", is_limited);
    print_hex(bytes, (size_t)n_led * 3);
    printf(" %u", power_estimate_ma(bytes, n_led));
}

static void silence(char *arguments)
{
    static const char *const names[] = {"-", "marker", "dark"};
    session_begin(1, (uint16_t)strtoul(arguments, &arguments, 10), 1000, 0);
    for (char *time = strtok(arguments, " \n"); time; time = strtok(NULL, " \n"))
        printf("%s ", names[session_poll((uint32_t)strtoul(time, NULL, 10))]);
}

static void answer(char *line)
{
    char *arguments = strchr(line, ' ');
    if (!arguments)
        return;
    *arguments++ = 0;
    if (strcmp(line, "crc") == 0)
        printf("%04x", crc16_of(bytes, (uint16_t)read_hex(arguments)));
    else if (strcmp(line, "unit") == 0)
        framing_send(bytes, (uint8_t)read_hex(arguments), put);
    else if (strcmp(line, "feed") == 0)
        feed(read_hex(arguments));
    else if (strcmp(line, "cap") == 0)
        cap(arguments);
    else if (strcmp(line, "silence") == 0)
        silence(arguments);
}

int main(void)
{
    static char line[2 * MOST_BYTES + 64];
    while (fgets(line, sizeof line, stdin)) {
        answer(line);
        printf("\n");
    }
    return 0;
}
