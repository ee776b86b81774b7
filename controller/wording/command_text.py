"""Commands that people type during a match, one a line: `end`, `double white`, `roll 6 5`, `resign black mars`."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.match import FORM, Command, Mode, SeatingTextError, commands, parse_seatings
from controller.rules import Player, ResultKind


class CommandTextError(ValueError):
    """A line that is no command; its text is one sentence with the correct form."""


@dataclass(frozen=True, slots=True)
class _CommandSyntax:
    """The word of a command, the form of its arguments, its meaning for the help, and its parser."""

    word: str
    form: str
    meaning: str
    parse: Callable[[list[str]], Command]


def parse_command(line: str) -> Command | None:
    """The command of a line; None for an empty line. Raises CommandTextError."""
    word, *rest = line.split() or [""]
    if not word:
        return None
    order = next((order for order in _COMMANDS if order.word == word.lower()), None)
    if order is None:
        raise CommandTextError(f"{word!r} is no order; write one of {', '.join(order.word for order in _COMMANDS)}.")
    try:
        return order.parse(rest)
    except SeatingTextError as error:
        raise CommandTextError(f"{order.word}: {error}.") from None
    except (ValueError, LookupError):
        raise CommandTextError(f"Write it as: {order.word} {order.form}".rstrip() + ".") from None


def list_commands() -> list[str]:
    """The lines of the help: every command with its meaning."""
    return [f"{f'{order.word} {order.form}'.rstrip():<36} {order.meaning}" for order in _COMMANDS]


_PLAYERS = {"w": Player.WHITE, "white": Player.WHITE, "b": Player.BLACK, "black": Player.BLACK}
# `board` takes a player only by the whole word, because a position of Grasshopper ends with a letter.
_SIDES = ("white", "black")


def _parse_player(words: list[str]) -> Player:
    (word,) = words
    return _PLAYERS[word.lower()]


def _parse_end_turn(words: list[str]) -> Command:
    return commands.EndTurn(_parse_player(words)) if words else commands.EndTurn()


def _parse_resign(words: list[str]) -> Command:
    player, *kind = words
    return commands.Resign(_parse_player([player]), ResultKind(kind[0].lower()) if kind else ResultKind.SINGLE)


def _parse_answer(words: list[str]) -> Command:
    player, answer = words
    return commands.AnswerResignation(_parse_player([player]), {"yes": True, "no": False}[answer.lower()])


def _parse_roll(words: list[str]) -> Command:
    first, second = map(int, words)
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise ValueError(words)
    return commands.CorrectRoll((first, second))


def _parse_board(words: list[str]) -> Command:
    *position, last = words
    if last.lower() in _SIDES:
        return commands.CorrectBoard(_join_words(position), _parse_player([last]))
    return commands.CorrectBoard(_join_words(words))


def _parse_seating(words: list[str]) -> Command:
    """Needs a complete seating: one that leaves something open is no command."""
    fitting = parse_seatings(",".join(words))
    if len({(one.white_plays, one.edge, one.mirrored) for one in fitting}) != 1:
        raise SeatingTextError(f"say all of {FORM}")
    return commands.SetSeating(fitting[0])


def _parse_mode(words: list[str]) -> Command:
    (word,) = words
    return commands.ChangeMode(Mode(word.lower()))


def _join_words(words: list[str]) -> str:
    if not words:
        raise ValueError(words)
    return " ".join(words)


def _reject_arguments(words: list[str], command: Command) -> Command:
    if words:
        raise ValueError(words)
    return command


_SIDE = "|".join(_SIDES)
_COMMANDS = (
    _CommandSyntax("end", f"[{_SIDE}]", "the turn is over", _parse_end_turn),
    _CommandSyntax("double", _SIDE, "offers to double", lambda words: commands.OfferDouble(_parse_player(words))),
    _CommandSyntax("take", _SIDE, "takes the double", lambda words: commands.TakeDouble(_parse_player(words))),
    _CommandSyntax("drop", _SIDE, "drops it", lambda words: commands.DropDouble(_parse_player(words))),
    _CommandSyntax("beaver", _SIDE, "takes and doubles again", lambda words: commands.Beaver(_parse_player(words))),
    _CommandSyntax("resign", f"{_SIDE} [single|mars|koks]", "gives the game up", _parse_resign),
    _CommandSyntax("answer", f"{_SIDE} yes|no", "answers a resignation", _parse_answer),
    _CommandSyntax("roll", "N N", "what was thrown (opening: White's, then Black's)", _parse_roll),
    _CommandSyntax(
        "play", "POSITION", "which of the possible boards it is", lambda words: commands.ChoosePlay(_join_words(words))
    ),
    _CommandSyntax("board", f"POSITION [{_SIDE}]", "what stands on the board, and who throws next", _parse_board),
    _CommandSyntax(
        "back", "", "the last play did not happen", lambda words: _reject_arguments(words, commands.TakeBackPlay())
    ),
    _CommandSyntax(
        "condone", "", "the illegal play stands", lambda words: _reject_arguments(words, commands.Condone())
    ),
    _CommandSyntax(
        "withdraw", "", "the roll does not count", lambda words: _reject_arguments(words, commands.WithdrawRoll())
    ),
    _CommandSyntax(
        "accept", "", "the early roll stands", lambda words: _reject_arguments(words, commands.AcceptRoll())
    ),
    _CommandSyntax("seating", FORM, "who sits where", _parse_seating),
    _CommandSyntax("starter", _SIDE, "who starts", lambda words: commands.SetStarter(_parse_player(words))),
    _CommandSyntax("pause", "", "stand still", lambda words: _reject_arguments(words, commands.Pause())),
    _CommandSyntax("resume", "", "go on", lambda words: _reject_arguments(words, commands.Resume())),
    _CommandSyntax(
        "dispute", "", "stop to talk it over", lambda words: _reject_arguments(words, commands.CallDispute())
    ),
    _CommandSyntax("settle", "", "the talk is over", lambda words: _reject_arguments(words, commands.SettleDispute())),
    _CommandSyntax("mode", "|".join(mode.value for mode in Mode), "what may light up and speak", _parse_mode),
    _CommandSyntax("next", "", "the next game", lambda words: _reject_arguments(words, commands.NextGame())),
)
