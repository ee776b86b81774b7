"""The records of eXtreme Gammon's files: the header of the file, and the six records that a match is made of.

Source: the description that the maker of eXtreme Gammon published (extremegammon.com/XGformat.aspx, 2013). Of the analysis
only errors, luck and the plays that were weighed are named. Positions have 26 numbers: of
Player 1's points 1 to 24, positive for his checkers and negative for Player 2's; number 0 is Player 2's bar, 25 is
Player 1's. Only the position after a play is seen from the mover's side, as files of the program show (the description
does not say it).
"""

from enum import IntEnum

from controller.formats.xg.delphi_records import (
    BOOLEAN,
    BYTE,
    DOUBLE,
    INTEGER,
    SHORT,
    SINGLE,
    UNSIGNED,
    Kind,
    RecordLayout,
    array_of,
    opaque,
    short_text,
    wide_text,
)

RECORD_BYTES = 2560
MAGIC = 0x494C4D44
VERSION = 30  # the last one whose fields are all described
FIRST_UNICODE_VERSION = 24
LAST_VERSION = 99  # eXtreme Gammon 2 wrote 30 to 40; far larger numbers are damage
MONEY = 99999  # the length of a match without end
NOT_ANALYSED = -1000.0
POSITION = array_of(SHORT, 26)
_MOST_CANDIDATES = 32
NUMBERS_OF_EVALUATION = 7  # six chances and the equity
_ANALYSIS_OF_CUBE = opaque(132, 4)
_TEXT = wide_text(129)
_FIRST = 9  # two addresses of four bytes and the type of the record stand before the fields


class RecordType(IntEnum):
    """The byte at 8 of every record."""

    MATCH_HEADER = 0
    GAME_HEADER = 1
    CUBE = 2
    MOVE = 3
    GAME_FOOTER = 4
    MATCH_FOOTER = 5
    MISSING = 6


class Variation(IntEnum):
    """The games of eXtreme Gammon."""

    BACKGAMMON = 0
    NACKGAMMON = 1
    HYPERGAMMON = 2
    LONGGAMMON = 3


def turn_position(position: tuple[int, ...]) -> tuple[int, ...]:
    """A position from the other player's side."""
    return tuple(-count for count in reversed(position))


def _layout(*fields: tuple[str, Kind]) -> RecordLayout:
    return RecordLayout(fields, start=_FIRST, size=RECORD_BYTES)


TYPE_AT = 8
MATCH_HEADER = _layout(
    ("player_1_ansi", short_text(40)),
    ("player_2_ansi", short_text(40)),
    ("length", INTEGER),
    ("variation", INTEGER),
    ("crawford", BOOLEAN),
    ("jacoby", BOOLEAN),
    ("beaver", BOOLEAN),
    ("auto_double", BOOLEAN),
    ("elo", array_of(DOUBLE, 2)),
    ("experience", array_of(INTEGER, 2)),
    ("date", DOUBLE),
    ("event_ansi", short_text(128)),
    ("match_number", INTEGER),
    ("levels", array_of(INTEGER, 2)),
    ("counts_for", array_of(BOOLEAN, 3)),
    ("site_ansi", short_text(128)),
    ("mode", INTEGER),
    ("is_imported", BOOLEAN),
    ("round_ansi", short_text(128)),
    ("invert", INTEGER),
    ("version", INTEGER),
    ("magic", INTEGER),
    ("money_games", array_of(INTEGER, 3)),
    ("entered", array_of(BOOLEAN, 3)),
    ("comments", array_of(INTEGER, 2)),
    ("is_for_money", BOOLEAN),
    ("money", array_of(SINGLE, 2)),
    ("currency", INTEGER),
    ("fee", SINGLE),
    ("stake", INTEGER),
    ("site_number", INTEGER),
    ("cube_limit", INTEGER),
    ("auto_double_limit", INTEGER),
    ("is_transcribed", BOOLEAN),
    ("event", _TEXT),
    ("player_1", _TEXT),
    ("player_2", _TEXT),
    ("site", _TEXT),
    ("round", _TEXT),
    ("clock", array_of(INTEGER, 8)),
    ("delayed", array_of(INTEGER, 4)),
    ("transcriber", _TEXT),
)
GAME_HEADER = _layout(
    ("score", array_of(INTEGER, 2)),
    ("is_crawford", BOOLEAN),
    ("position", POSITION),
    ("number", INTEGER),
    ("is_in_progress", BOOLEAN),
    ("comments", array_of(INTEGER, 2)),
    ("auto_doubles", INTEGER),
)
# Doubled: 1, or 0 for no double, less than 0 where none was possible. Answer: 0 drop, 1 take, 2 beaver; then that of the
# player who doubled (2: raccoon), then that of the opponent. The cube: log2 of its value, negative if Player 2 owns it.
CUBE = _layout(
    ("player", INTEGER),
    ("doubled", INTEGER),
    ("answer", INTEGER),
    ("answer_to_beaver", INTEGER),
    ("answer_to_raccoon", INTEGER),
    ("cube", INTEGER),
    ("position", POSITION),
    ("analysis", _ANALYSIS_OF_CUBE),
    ("error", DOUBLE),
    ("dice", short_text(2)),
    ("error_of_answer", DOUBLE),
    ("rollout", INTEGER),
    ("choice", INTEGER),
    ("level", INTEGER),
    ("more_errors", array_of(DOUBLE, 2)),
    ("asked_level", INTEGER),
    ("validity", INTEGER),
    ("tutor", array_of(BYTE, 2)),
    ("tutor_errors", array_of(DOUBLE, 2)),
    ("is_flagged", BOOLEAN),
    ("comment", INTEGER),
    ("is_edited", BOOLEAN),
)
# Steps: from and to, four times, on the mover's own path from 0 (his point 1); 24 is the bar, -2 off, -1 ends the list.
MOVE = _layout(
    ("before", POSITION),
    ("after", POSITION),
    ("player", INTEGER),
    ("steps", array_of(INTEGER, 8)),
    ("dice", array_of(INTEGER, 2)),
    ("cube", INTEGER),
    ("unused", DOUBLE),
    ("candidates", INTEGER),
    ("analysis", opaque(2184, 4)),
    ("is_played", BOOLEAN),
    ("error", DOUBLE),
    ("luck", DOUBLE),
    ("choice", INTEGER),
    ("equity_before", DOUBLE),
    ("rollouts", array_of(INTEGER, 32)),
    ("level", INTEGER),
    ("level_of_luck", INTEGER),
    ("validity", INTEGER),
    ("tutor_position", POSITION),
    ("tutor", BYTE),
    ("tutor_error", DOUBLE),
    ("is_flagged", BOOLEAN),
    ("comment", INTEGER),
    ("is_edited", BOOLEAN),
    ("delayed", array_of(UNSIGNED, 2)),
    ("auto_doubles", INTEGER),
)
# The plays that the program weighed for a throw. Their steps are as those of the play.
ANALYSIS_OF_PLAY = RecordLayout(
    (
        ("position", POSITION),
        ("dice", array_of(INTEGER, 2)),
        ("level", INTEGER),
        ("score", array_of(INTEGER, 2)),
        ("cube", array_of(INTEGER, 2)),
        ("rules", array_of(INTEGER, 2)),
        ("count", INTEGER),
        ("boards", array_of(SHORT, 26 * _MOST_CANDIDATES)),
        ("steps", array_of(SHORT, 8 * _MOST_CANDIDATES)),
        ("levels", array_of(UNSIGNED, _MOST_CANDIDATES)),
        ("evaluations", array_of(SINGLE, NUMBERS_OF_EVALUATION * _MOST_CANDIDATES)),
        ("flags", array_of(BYTE, 4)),
    )
)
# Termination: 0 a dropped double, 1 to 3 the kind of win; 100 more: resigned, 1000 more: settled.
GAME_FOOTER = _layout(
    ("score", array_of(INTEGER, 2)),
    ("is_crawford_next", BOOLEAN),
    ("winner", INTEGER),
    ("points", INTEGER),
    ("termination", INTEGER),
    ("error_of_resigning", DOUBLE),
    ("error_of_answer", DOUBLE),
    ("evaluation", array_of(DOUBLE, 7)),
    ("level", INTEGER),
)
MATCH_FOOTER = _layout(
    ("score", array_of(INTEGER, 2)),
    ("winner", INTEGER),
    ("elo", array_of(DOUBLE, 2)),
    ("experience", array_of(INTEGER, 2)),
    ("date", DOUBLE),
)
