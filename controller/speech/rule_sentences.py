"""Parses the English sentences of rulings into phrases: logs keep them in English, pages show their own language.

A sentence that no pattern matches stays in English. The tests feed every sentence of the rules and the referee through
these patterns. A pattern may not be removed when its sentence changes: older logs still hold the old sentence.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType

from controller.rules import BAR, BadThrow, CubeRefusal, Player
from controller.speech.phrases import (
    Phrase,
    PhraseValue,
    PlaceNames,
    PlayerName,
    PlayNotations,
    PointNumbers,
    Sentence,
    Verbatim,
    phrase,
)

_STEP = r"(?P<play>\S.*?) with the (?P<number>\d)"
_EXAMPLE = r"(?:, for example (?P<play>[^,]+))?"
_WHERE = r"(?: \(points? (?P<points>[\d, ]+)\))?"
_NAME = r"(?P<name>White|Black)"
_PLACES = r"(?:point \d+|the bar|the tray|the reserve)"
_HITTER = r"moved the checker that had just hit in its own home\."

_PATTERNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"A checker on the bar must enter before any other one moves\.", ("fault.bar_first",)),
    (
        rf"{_STEP} was played while a checker waited on the bar; the bar enters first\.",
        ("fault.step", "fault.bar_first"),
    ),
    (r"Only (?P<limit>one checker|\d+) may leave the head in one roll\.", ("fault.head",)),
    (
        rf"{_STEP} took one checker too many from the head\. Only (?P<limit>one checker|\d+) may leave the head in one roll\.",
        ("fault.step", "fault.head"),
    ),
    (r"A second checker may leave the head only when the first roll .+ does not\.", ("fault.head_exception",)),
    (
        rf"{_STEP} took one checker too many from the head\. A second checker may leave the head only when .+\.",
        ("fault.step", "fault.head_exception"),
    ),
    (r"Six points in a row are held with none of the opponent's checkers ahead of them\.", ("fault.prime",)),
    (rf"{_STEP} made six points in a row with none .+ ahead of them\.", ("fault.step", "fault.prime")),
    (r"On the way six points in a row were held with none .+ ahead of them\.", ("fault.prime_in_passing",)),
    (rf"{_STEP} made, on the way, six points in a row with none .+\.", ("fault.step", "fault.prime_in_passing")),
    (r"A checker that hit in its own home is held for the rest of the turn\.", ("fault.home_hit",)),
    (rf"{_STEP} {_HITTER} ?", ("fault.step", "fault.home_hit")),
    (rf"{_STEP} {_HITTER} It must stay there until the next turn\.", ("fault.step", "fault.no_run")),
    (rf"{_STEP} {_HITTER} It may move on inside the home, .+\.", ("fault.step", "fault.no_bearoff")),
    (rf"{_STEP} {_HITTER} It may not step onto another own checker, .+\.", ("fault.step", "fault.no_hide")),
    (r"A checker that joined the hitter in this turn may not be borne off in it either\.", ("fault.pair",)),
    (rf"{_STEP} is refused\. A checker that joined the hitter .+\.", ("fault.step", "fault.pair")),
    (r"A checker that can be borne off must be, before anything else moves\.", ("fault.forced_bearoff",)),
    (rf"{_STEP} was played although a checker could be borne off, .+\.", ("fault.step", "fault.forced_bearoff")),
    (r"No more than (?P<limit>\d+) checkers may stand on a point\.", ("fault.max_stack",)),
    (
        rf"{_STEP} put a checker on point \d+, which was full: (?P<limit>\d+) is the limit\.",
        ("fault.step", "fault.max_stack"),
    ),
    (r"No second checker may leave the head before the first one .+\.", ("fault.first_checker",)),
    (rf"{_STEP} moved a second checker from the head before .+\.", ("fault.step", "fault.first_checker")),
    (r"No more than (?P<limit>\d+) points of the start quarter \(19 to 24\) may be held\.", ("fault.start_quarter",)),
    (
        rf"{_STEP} would hold more than (?P<limit>\d+) points of the start quarter \(19 to 24\)\.",
        ("fault.step", "fault.start_quarter"),
    ),
    (r"A checker landed on a point that the opponent holds\.", ("fault.closed_point",)),
    (rf"{_STEP} landed on point \d+, which the opponent holds\.", ("fault.step", "fault.closed_point")),
    (r"A checker was borne off before all were home, or .+\.", ("fault.bearoff_early",)),
    (rf"{_STEP} came too early: all checkers must be home, .+\.", ("fault.step", "fault.bearoff_early")),
    (rf"At least one number must be played{_EXAMPLE}\.", ("fault.must_play_one", "fault.example")),
    (
        rf"Only one of the two numbers can be played, so it must be the (?P<number>\d){_EXAMPLE}\.",
        ("fault.larger_die", "fault.example"),
    ),
    (
        rf"The six points in front of the opponent's whole army must be opened{_EXAMPLE}\.",
        ("fault.unblock", "fault.example"),
    ),
    (
        rf"More of the numbers (?P<numbers>[\d\- and]+?) can be played{_EXAMPLE}\.",
        ("fault.must_play_more", "fault.example"),
    ),
    (r"No legal play with (?P<numbers>[\d\- and]+) leads to this board\.", ("fault.numbers",)),
    (
        r"No legal play with (?P<numbers>[\d\- and]+) leads to this board; with another throw it would be legal\.",
        ("fault.other-throw",),
    ),
    (r"The second throw was not due; it does not count\.", ("fault.second-throw",)),
    (rf"{_NAME} has more than (?P<limit>\d+) checkers; take the extra ones away\.", ("fault.more-than-all",)),
    (rf"{_NAME} has (?P<total>\d+) of (?P<limit>\d+) checkers; put the missing ones back\.", ("fault.missing",)),
    (rf"{_NAME} has (?P<total>\d+) instead of (?P<limit>\d+) checkers; take the extra ones away\.", ("fault.extra",)),
    (rf"{_NAME}'s checker on the mover's point (?P<point>\d+) was hit; put it on the bar\.", ("fault.hit.standing",)),
    (rf"A checker of {_NAME}'s that was hit does not lie on the bar; put it there\.", ("fault.hit.misplaced",)),
    (rf"(?P<count>\d+) of {_NAME}'s checkers left the board by a hit; .+\.", ("fault.hit.left-out",)),
    (r"A pinned checker no longer lies underneath, or another one does; .+\.", ("fault.pins",)),
    (
        rf"The opponent's checkers changed on (?P<counted>{_PLACES}(?: and {_PLACES})*) \(his own count\); put them back\.",
        ("fault.opponent_moved",),
    ),
    (
        rf"A checker went back from (?P<from>{_PLACES}) to (?P<to>{_PLACES}); checkers only move forward\.",
        ("fault.backwards",),
    ),
    (r"It does not show the board; .+\.", ("event.hindered.no_board",)),
    (r"Too much of the board is hidden; .+\.", ("cannot.hidden",)),
    (r"It cannot be told how many checkers lie on the board; .+\.", ("cannot.board",)),
    (
        r"It cannot be told how many checkers lie on (?P<places>(?:[TB]\d+|the bar)(?:, (?:[TB]\d+|the bar))*); .+\.",
        ("cannot.doubtful",),
    ),
    (r"This turn can be played in too many ways to tell what was played; .+\.", ("cannot.too-many",)),
    (r"It cannot be told whether anything was played; .+\.", ("cannot.not-moved",)),
    (r"It cannot be told whether anything was done; .+\.", ("hop.nothing_done",)),
    (r"A play was made with a throw that could not be read; .+\.", ("cannot.not-read",)),
    (r"The next throw was made, but not what was thrown before it; .+\.", ("cannot.overtaken",)),
    (r"This turn has too many ways to be judged as a whole; .+\.", ("cannot.judge",)),
    (r"Several plays look alike to the camera; .+\.", ("cannot.look-alike",)),
    (r"This game has no \w+ to resign\.", ("refused.not-now",)),
    (r"A player who can enter, move or bear off must not pass\.", ("hop.can_act",)),
    (r"The game is over; set up the next one\.", ("hop.game_over",)),
    (r"There is no piece left in the hand to enter on (?P<target>\d+)\.", ("hop.hand_empty",)),
    (r"No piece stands on (?P<source>\d+)\.", ("hop.no_piece_there",)),
    (r"The piece on (?P<source>\d+) belongs to the opponent\.", ("hop.not_own_piece",)),
    (r"The piece on (?P<source>\d+) stands alone; .+\.", ("hop.single",)),
    (r"Walls are borne off from the points 19 to 24, not from (?P<source>\d+)\.", ("hop.not_in_last_quadrant",)),
    (r"(?P<source>\d+) lies in the last quadrant; .+\.", ("hop.last_quadrant",)),
    (r"(?P<target>\d+) is not in the quadrant where a piece from .+ has to go\.", ("hop.wrong_quadrant",)),
    (r"On (?P<target>\d+) stands a wall, and a wall never holds a third piece\.", ("hop.wall_full",)),
    (r"(?P<target>\d+) is taken; .+\.", ("hop.occupied",)),
    (r"No own piece stands on (?P<target>\d+) to build a wall with\.", ("hop.nothing_to_join",)),
    (
        r"A piece on its way from .+ to (?P<target>\d+) may not cross the wall on (?P<walls>[\d, ]+)\.",
        ("hop.wall_in_the_way",),
    ),
    (
        rf"Only own pieces may be touched, but the opponent's changed{_WHERE}; .+\.",
        ("hop.opponent_moved", "hop.points"),
    ),
    (rf"Nothing changed on the board, and there is an action{_WHERE}; .+\.", ("hop.nothing_changed", "hop.points")),
    (rf"A piece is missing that was there before the turn{_WHERE}; .+\.", ("hop.piece_missing", "hop.points")),
    (rf"There is a piece too many{_WHERE}; .+\.", ("hop.piece_extra", "hop.points")),
    (rf"A piece came back into the hand{_WHERE}; .+\.", ("hop.back_to_hand", "hop.points")),
    (rf"More than one thing was done{_WHERE}; .+\.", ("hop.more_than_one_action", "hop.points")),
)
# Phrases that are used only if the English sentence contains this value.
_ONLY_WITH = MappingProxyType({"fault.example": "play", "hop.points": "points"})

_FIXED = MappingProxyType(
    {
        "No legal play explains the board, but for a while nobody looked; say what was played.": "cannot.nobody-looked",
        "The next throw was made before the board could be seen; say what was played.": "cannot.not-seen",
        "The other player's checkers were played with this throw; say whether it was his, or put them back.": (
            "cannot.whose-throw"
        ),
        "On this board the game would be over; tell the one before it.": "refused.board-over",
        "The match was lost on time; no play brings it back.": "refused.lost-on-time",
        "A roll has two numbers from 1 to 6, in a game with dice.": "refused.two-numbers",
        "An illegal play waits for its correction; a double has to wait too.": "refused.illegal-waits",
        "It is not known what was thrown; say that first.": "refused.say-throw",
        "It is the other player's turn; he ends it.": "refused.others-turn",
        "Nobody has resigned.": "refused.nobody-resigned",
        "Numbers that were handed over come first; end that part of the turn.": "refused.handed-over",
        "Play cannot go on from this board; put it right first.": "refused.put-right",
        "Say first who sits where and plays which checkers.": "refused.seating",
        "The board has to be restored first.": "refused.restore",
        "Both players have played since then; say who throws next as well.": "refused.who-next",
        "The match is over.": "refused.match-over",
        "The match is over; begin a new one.": "refused.new-match",
        "The next roll was made already; withdraw that first.": "refused.next-roll",
        "The other player answers a resignation.": "refused.other-answers",
        "The player on turn has to throw first.": "refused.throw-first",
        "There is no early roll to accept.": "refused.no-early",
        "There is no play to take back.": "refused.no-play",
        "There is no answer to take back.": "refused.no-answer",
        "There is a dispute already; settle it first.": "refused.not-now",
        "This player has confirmed the score already.": "refused.confirmed",
        "Both players have confirmed the score; call a dispute first.": "refused.final",
        "This player has no dispute left; the director can call one.": "refused.no-dispute",
        "This is not asked any more; see what is asked now.": "refused.not-asked",
        "There is no roll to withdraw.": "refused.no-roll",
        "This board is not possible in this game; count the checkers again.": "refused.impossible",
        **{refusal.sentence: f"cube.{refusal.value}" for refusal in CubeRefusal},
        **{reason.sentence: f"bad.{reason.value}" for reason in BadThrow},
    }
)
_BEFORE_A_RULE = "No legal play leads to this board. "


def parse_rule_sentences(sentences: Iterable[str], player: Player | None = None) -> tuple[Sentence, ...]:
    """Phrases in the order of the sentences; places are counted as `player` does (None: as White does)."""
    return tuple(
        each
        for sentence in sentences
        if sentence
        for each in _parse_sentence(sentence.removeprefix(_BEFORE_A_RULE), player)
    )


def _parse_sentence(sentence: str, player: Player | None) -> tuple[Sentence, ...]:
    key = _FIXED.get(sentence)
    if key is not None:
        return (phrase(key),)
    for pattern, keys in _compile_patterns():
        match = pattern.fullmatch(sentence)
        if match is not None:
            values = _extract_values(match, player)
            return tuple(Phrase(key, values) for key in keys if _ONLY_WITH.get(key, "") in ("", *values))
    return (Verbatim(sentence),)


@cache
def _compile_patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple((re.compile(pattern), keys) for pattern, keys in _PATTERNS)


def _extract_values(match: re.Match[str], player: Player | None) -> Mapping[str, PhraseValue]:
    found = {name: text for name, text in match.groupdict().items() if text is not None}
    values: dict[str, PhraseValue] = {name: _VALUES.get(name, _parse_number)(text) for name, text in found.items()}
    places = values.get("places")
    return values | {"places": PlaceNames(places.places, player)} if isinstance(places, PlaceNames) else values


def _parse_number(text: str) -> PhraseValue:
    return 1 if text == "one checker" else int(text)


def _parse_play(text: str) -> PhraseValue:
    return PlayNotations((text,))


def _parse_player(text: str) -> PhraseValue:
    return PlayerName(Player[text.upper()])


def _join_with_commas(text: str) -> PhraseValue:
    return text.replace(" and ", ", ")


def _parse_points(text: str) -> PhraseValue:
    special = {"the tray": 0, "the bar": BAR, "the reserve": BAR + 1}
    return PointNumbers(
        tuple(special[one] if one in special else int(one.removeprefix("point ")) for one in text.split(" and "))
    )


def _parse_places(text: str) -> PhraseValue:
    return PlaceNames(tuple("bar" if one == "the bar" else one for one in text.split(", ")))


_VALUES: Mapping[str, Callable[[str], PhraseValue]] = MappingProxyType(
    {
        "play": _parse_play,
        "name": _parse_player,
        "numbers": _join_with_commas,
        "points": _join_with_commas,
        "walls": _join_with_commas,
        "counted": _parse_points,
        "from": _parse_points,
        "to": _parse_points,
        "places": _parse_places,
    }
)
