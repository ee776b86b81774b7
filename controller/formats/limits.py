"""How large a match file may be; beyond it, it is refused before anybody waits for it."""

MOST_TEXT_BYTES = 1_000_000  # of match text; a match to 25 points has some 60,000
MOST_SGF_BYTES = 4_000_000  # of an .sgf file, in which an analysis takes most of the room
MOST_JSONL_BYTES = 32_000_000  # a whole log of such a match has some 4,000,000
MOST_GAMES = 1_000
MOST_TURNS_OF_GAME = 1_000  # with the cube; a long game has 200
MOST_TURNS = 20_000
MOST_EVENTS_OF_GAME = 5_000  # of JSON lines; a long game has some 1,000
MOST_LINE = 2_000  # characters of a line of match text; the widest rows have 200
LIMITS = (
    f"Limits: {MOST_TEXT_BYTES // 1_000_000} MB (.sgf: {MOST_SGF_BYTES // 1_000_000} MB, JSON lines:"
    f" {MOST_JSONL_BYTES // 1_000_000} MB), {MOST_GAMES:,} games, {MOST_TURNS_OF_GAME:,} turns of a game,"
    f" {MOST_TURNS:,} turns in all, {MOST_LINE:,} characters on a line of match text, {MOST_EVENTS_OF_GAME:,} events of a"
    " game in JSON lines."
)
