"""What people type while a match is played, a line an order: `end`, `double white`, `roll 6 5`, `resign black mars`."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.match.commands import (
    AcceptRoll,
    AnswerResignation,
    Beaver,
    CallDispute,
    ChangeMode,
    ChoosePlay,
    Command,
    Condone,
    CorrectBoard,
    CorrectRoll,
    DropDouble,
    EndTurn,
    NextGame,
    OfferDouble,
    Pause,
    Resign,
    Resume,
    SetSeating,
    SetStarter,
    SettleDispute,
    TakeBackPlay,
    TakeDouble,
    WithdrawRoll,
)
from controller.match.events import Mode
from controller.match.seating import FORM, SeatingTextError, seatings_of
from controller.rules.player import Player
from controller.rules.scoring.points import Kind


class CommandTextError(ValueError):
    """A line that orders nothing; one sentence with what may be written."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A word, what stands behind it, and what it means."""

    word: str
    form: str
    meaning: str
    read: Callable[[list[str]], Command]


def command_of(line: str) -> Command | None:
    """None for an empty line. CommandTextError."""
    word, *rest = line.split() or [""]
    if not word:
        return None
    order = next((order for order in _ORDERS if order.word == word.lower()), None)
    if order is None:
        raise CommandTextError(f"{word!r} is no order; write one of {', '.join(order.word for order in _ORDERS)}.")
    try:
        return order.read(rest)
    except SeatingTextError as error:
        raise CommandTextError(f"{order.word}: {error}.") from None
    except (ValueError, LookupError):
        raise CommandTextError(f"Write it as: {order.word} {order.form}".rstrip() + ".") from None


def order_lines() -> list[str]:
    """Every order with its meaning."""
    return [f"{f'{order.word} {order.form}'.rstrip():<36} {order.meaning}" for order in _ORDERS]


_PLAYERS = {"w": Player.WHITE, "white": Player.WHITE, "b": Player.BLACK, "black": Player.BLACK}
_SIDES = ("white", "black")  # a position of Grasshopper ends with a letter


def _player(words: list[str]) -> Player:
    (word,) = words
    return _PLAYERS[word.lower()]


def _end(words: list[str]) -> Command:
    return EndTurn(_player(words)) if words else EndTurn()


def _resign(words: list[str]) -> Command:
    player, *kind = words
    return Resign(_player([player]), Kind(kind[0].lower()) if kind else Kind.SINGLE)


def _answer(words: list[str]) -> Command:
    player, answer = words
    return AnswerResignation(_player([player]), {"yes": True, "no": False}[answer.lower()])


def _roll(words: list[str]) -> Command:
    first, second = map(int, words)
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(words)
    return CorrectRoll((first, second))


def _board(words: list[str]) -> Command:
    *position, last = words
    return CorrectBoard(_text(position), _player([last])) if last.lower() in _SIDES else CorrectBoard(_text(words))


def _seating(words: list[str]) -> Command:
    """The whole of it: an order that leaves something open would be a question."""
    fitting = seatings_of(",".join(words))
    if len({(one.white_plays, one.edge, one.mirrored) for one in fitting}) != 1:
        raise SeatingTextError(f"say all of {FORM}")
    return SetSeating(fitting[0])


def _mode(words: list[str]) -> Command:
    (word,) = words
    return ChangeMode(Mode(word.lower()))


def _text(words: list[str]) -> str:
    if not words:
        raise ValueError(words)
    return " ".join(words)


def _nothing(words: list[str], command: Command) -> Command:
    if words:
        raise ValueError(words)
    return command


_SIDE = "|".join(_SIDES)
_ORDERS = (
    _Order("end", f"[{_SIDE}]", "the turn is over", _end),
    _Order("double", _SIDE, "offers to double", lambda words: OfferDouble(_player(words))),
    _Order("take", _SIDE, "takes the double", lambda words: TakeDouble(_player(words))),
    _Order("drop", _SIDE, "drops it", lambda words: DropDouble(_player(words))),
    _Order("beaver", _SIDE, "takes and doubles again", lambda words: Beaver(_player(words))),
    _Order("resign", f"{_SIDE} [single|mars|koks]", "gives the game up", _resign),
    _Order("answer", f"{_SIDE} yes|no", "answers a resignation", _answer),
    _Order("roll", "N N", "what was thrown (opening: White's, then Black's)", _roll),
    _Order("play", "POSITION", "which of the possible boards it is", lambda words: ChoosePlay(_text(words))),
    _Order("board", f"POSITION [{_SIDE}]", "what stands on the board, and who throws next", _board),
    _Order("back", "", "the last play did not happen", lambda words: _nothing(words, TakeBackPlay())),
    _Order("condone", "", "the illegal play stands", lambda words: _nothing(words, Condone())),
    _Order("withdraw", "", "the roll does not count", lambda words: _nothing(words, WithdrawRoll())),
    _Order("accept", "", "the early roll stands", lambda words: _nothing(words, AcceptRoll())),
    _Order("seating", FORM, "who sits where", _seating),
    _Order("starter", _SIDE, "who starts", lambda words: SetStarter(_player(words))),
    _Order("pause", "", "stand still", lambda words: _nothing(words, Pause())),
    _Order("resume", "", "go on", lambda words: _nothing(words, Resume())),
    _Order("dispute", "", "stop to talk it over", lambda words: _nothing(words, CallDispute())),
    _Order("settle", "", "the talk is over", lambda words: _nothing(words, SettleDispute())),
    _Order("mode", "|".join(mode.value for mode in Mode), "what may light up and speak", _mode),
    _Order("next", "", "the next game", lambda words: _nothing(words, NextGame())),
)
