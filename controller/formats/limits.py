"""Limits of size for match files. The command line imports them for its help, so this module imports nothing."""

# A match to 25 points has about 60,000 bytes of match text and 4,000,000 bytes of JSON lines; an analysis makes an
# .sgf file larger. A long game has 200 turns and 1,000 events. The widest rows of match text have 200 characters.
MOST_TEXT_BYTES = 1_000_000
MOST_SGF_BYTES = 4_000_000
MOST_JSONL_BYTES = 32_000_000
# An .xg file holds analysis and rollouts: some 300 kB of them a game, packed; its records have 2,560 bytes each.
MOST_XG_BYTES = 32_000_000
MOST_UNPACKED_XG_BYTES = 100_000_000
MOST_GAMES = 1_000
MOST_TURNS_OF_GAME = 1_000  # cube actions included
MOST_TURNS = 20_000
MOST_EVENTS_OF_GAME = 5_000
MOST_LINE = 2_000
LIMITS = (
    f"Limits: {MOST_TEXT_BYTES // 1_000_000} MB (.sgf: {MOST_SGF_BYTES // 1_000_000} MB, JSON lines"
    f" and .xg: {MOST_JSONL_BYTES // 1_000_000} MB), {MOST_GAMES:,} games, {MOST_TURNS_OF_GAME:,} turns of a game,"
    f" {MOST_TURNS:,} turns in all, {MOST_LINE:,} characters on a line of match text, {MOST_EVENTS_OF_GAME:,} events of a"
    " game in JSON lines."
)
