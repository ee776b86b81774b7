/* The simulated board as a program: behind a pty, in real time, for anything that opens serial ports.
 *
 *     pty_board ELF [--link PATH] [--baud N] [--bootloader-ms N] [--leds N]
 *
 * --link: a symbolic link to the port, made anew whenever the board is plugged in; it stands for /dev/serial/by-id.
 * --bootloader-ms: as on a Nano, opening the port starts the board anew, and so long it hears nothing. A pty has no DTR.
 *
 * Says on standard output, a line each: `port PATH`, `lit MS HEX` for every picture (what the strip shows, red green
 * blue), `restarted N`, `gone`. Obeys lines on standard input: `rail MV`, `strip N|none`, `return on|off`, `hang`,
 * `reset CAUSE`, `unplug`, `plug`, `quit`; ends when standard input ends.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "chip.h"

#define CYCLES_PER_US 16
#define MOST_BEHIND_US 200000 /* a machine that is too slow makes the board slow, not hasty */
#define STEP_MS 1

typedef struct {
    chip *chip;
    const char *link;
    uint32_t bootloader_ms;
    int32_t n_leds;
    bool has_return;
    int port; /* -1: unplugged */
    bool is_open;
    bool is_over;
    uint64_t pictures_reported;
    bool is_strip_new; /* dark, without a picture that made it so */
    uint32_t resets_reported;
    int64_t began_us;
    char command[256];
    size_t command_length;
} board;

static int64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

/* ---- the plug */

static void make_raw(int port)
{
    struct termios settings;
    if (tcgetattr(port, &settings))
        give_up("tcgetattr");
    cfmakeraw(&settings);
    tcsetattr(port, TCSANOW, &settings);
}

/* Nothing but a link is ever removed: a file of that name is somebody's own. */
static void remove_link(const char *path)
{
    struct stat found;
    if (lstat(path, &found) == 0 && S_ISLNK(found.st_mode))
        unlink(path);
}

static void plug(board *b)
{
    if (b->port >= 0)
        return;
    b->port = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (b->port < 0 || grantpt(b->port) || unlockpt(b->port))
        give_up("pty");
    make_raw(b->port);
    const char *path = ptsname(b->port);
    close(open(path, O_RDWR | O_NOCTTY)); /* from now on poll tells whether somebody has it open */
    if (b->link) {
        remove_link(b->link);
        if (symlink(path, b->link))
            give_up(b->link);
    }
    b->is_open = false;
    chip_power_on(b->chip, (uint32_t)now_us());
    if (b->bootloader_ms)
        chip_reset(b->chip, 1, b->bootloader_ms);
    printf("port %s\n", path);
}

static void unplug(board *b)
{
    if (b->port < 0)
        return;
    if (b->link)
        remove_link(b->link);
    close(b->port);
    b->port = -1;
    chip_power_on(b->chip, 1); /* nobody hears it */
    b->is_strip_new = true;
    printf("gone\n");
}

/* ---- both ends of the line */

static void look_who_is_there(board *b, short events)
{
    bool is_open = !(events & POLLHUP);
    if (is_open && !b->is_open && b->bootloader_ms)
        chip_reset(b->chip, 2, b->bootloader_ms);
    b->is_open = is_open;
}

static void hear_host(board *b)
{
    uint8_t bytes[512];
    ssize_t count = read(b->port, bytes, sizeof bytes);
    if (count > 0)
        chip_send(b->chip, bytes, (size_t)count);
}

static void answer_host(board *b)
{
    uint8_t bytes[512];
    size_t count = chip_receive(b->chip, bytes, NULL, sizeof bytes);
    if (count == 0 || b->port < 0 || !b->is_open)
        return;
    if (write(b->port, bytes, count) < 0 && errno != EAGAIN && errno != EIO)
        give_up("write");
}

/* ---- what it says and obeys */

static void tell_pictures(board *b)
{
    uint8_t rgb[STRIP_MOST_LEDS * 3];
    uint64_t count = chip_pictures(b->chip);
    if (count == b->pictures_reported && !b->is_strip_new)
        return;
    b->pictures_reported = count;
    b->is_strip_new = false;
    chip_lit(b->chip, rgb);
    printf("lit %llu ", (unsigned long long)(chip_cycle(b->chip) / (CYCLES_PER_US * 1000)));
    for (int32_t at = 0; at < b->n_leds * 3; at++)
        printf("%02x", rgb[at]);
    printf("\n");
}

static void tell_resets(board *b)
{
    if (chip_resets(b->chip) != b->resets_reported)
        printf("restarted %u\n", b->resets_reported = chip_resets(b->chip));
}

static void obey(board *b, const char *text)
{
    int number = 0;
    char word[16] = "";
    if (sscanf(text, "rail %d", &number) == 1)
        chip_set_rail_mv(b->chip, (uint32_t)number);
    else if (sscanf(text, "reset %d", &number) == 1)
        chip_reset(b->chip, (uint8_t)number, b->bootloader_ms);
    else if (sscanf(text, "strip %d", &number) == 1)
        chip_set_strip(b->chip, number, b->has_return, 200);
    else if (strcmp(text, "strip none") == 0)
        chip_set_strip(b->chip, -1, b->has_return, 200);
    else if (sscanf(text, "return %15s", word) == 1)
        chip_set_strip(b->chip, b->n_leds, b->has_return = strcmp(word, "on") == 0, 200);
    else if (strcmp(text, "hang") == 0)
        chip_hang(b->chip);
    else if (strcmp(text, "plug") == 0)
        plug(b);
    else if (strcmp(text, "unplug") == 0)
        unplug(b);
    else if (strcmp(text, "quit") == 0)
        b->is_over = true;
    else
        fprintf(stderr, "unknown command: %s\n", text);
}

static void hear_commands(board *b)
{
    ssize_t count = read(STDIN_FILENO, b->command + b->command_length, sizeof b->command - b->command_length - 1);
    if (count <= 0) {
        b->is_over = true;
        return;
    }
    b->command_length += (size_t)count;
    b->command[b->command_length] = 0;
    char *end;
    while ((end = strchr(b->command, '\n'))) {
        *end = 0;
        obey(b, b->command);
        b->command_length -= (size_t)(end + 1 - b->command);
        memmove(b->command, end + 1, b->command_length + 1);
    }
    if (b->command_length == sizeof b->command - 1)
        b->command_length = 0; /* nobody means that */
}

/* ---- real time */

static void catch_up(board *b)
{
    int64_t due_us = now_us() - b->began_us, is_us = (int64_t)(chip_cycle(b->chip) / CYCLES_PER_US);
    if (due_us - is_us > MOST_BEHIND_US) {
        b->began_us += due_us - is_us - MOST_BEHIND_US;
        due_us = is_us + MOST_BEHIND_US;
    }
    if (due_us <= is_us)
        return;
    if (!chip_run(b->chip, (uint64_t)due_us * CYCLES_PER_US, true)) {
        fprintf(stderr, "the firmware has crashed\n");
        exit(1);
    }
}

static void turn(board *b)
{
    struct pollfd ends[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = b->port, .events = POLLIN}};
    int64_t behind_us = now_us() - b->began_us - (int64_t)(chip_cycle(b->chip) / CYCLES_PER_US);
    poll(ends, 2, behind_us > STEP_MS * 1000 ? 0 : STEP_MS);
    if (ends[0].revents)
        hear_commands(b);
    if (b->port >= 0 && ends[1].fd == b->port) {
        look_who_is_there(b, ends[1].revents);
        if (ends[1].revents & POLLIN)
            hear_host(b);
        else if (!b->is_open)
            usleep(STEP_MS * 1000); /* poll returns at once while nobody has the port */
    }
    catch_up(b);
    answer_host(b);
    tell_resets(b);
    tell_pictures(b);
    fflush(stdout);
}

static const char *option(int count, char **arguments, const char *name, const char *otherwise)
{
    for (int at = 2; at + 1 < count; at++)
        if (strcmp(arguments[at], name) == 0)
            return arguments[at + 1];
    return otherwise;
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "pty_board ELF [--link PATH] [--baud N] [--bootloader-ms N] [--leds N]\n");
        return 2;
    }
    board b = {.port = -1, .has_return = true, .link = option(count, arguments, "--link", NULL)};
    b.bootloader_ms = (uint32_t)atoi(option(count, arguments, "--bootloader-ms", "0"));
    b.n_leds = atoi(option(count, arguments, "--leds", "120"));
    b.chip = chip_new(arguments[1], (uint32_t)atoi(option(count, arguments, "--baud", "115200")));
    if (!b.chip) {
        fprintf(stderr, "%s cannot be loaded\n", arguments[1]);
        return 1;
    }
    if (b.n_leds < 0 || b.n_leds > STRIP_MOST_LEDS)
        b.n_leds = STRIP_MOST_LEDS;
    chip_set_strip(b.chip, b.n_leds, true, 200);
    b.began_us = now_us();
    plug(&b);
    while (!b.is_over)
        turn(&b);
    unplug(&b);
    return 0;
}
