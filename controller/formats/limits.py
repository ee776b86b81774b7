"""How large a match file may be; beyond it, it is refused before anybody waits for it."""

MOST_TEXT_BYTES = 4_000_000  # a match to 25 points has some 60,000
MOST_JSONL_BYTES = 32_000_000  # a whole log of such a match has some 4,000,000
MOST_GAMES = 1_000
MOST_LINE = 2_000  # characters of a line of match text; the widest rows have 200
LIMITS = (
    f"Limits: {MOST_TEXT_BYTES // 1_000_000} MB (JSON lines: {MOST_JSONL_BYTES // 1_000_000} MB), {MOST_GAMES:,} games,"
    f" {MOST_LINE:,} characters on a line of match text."
)
