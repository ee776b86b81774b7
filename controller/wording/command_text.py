"""Commands that people type during a match, one a line: `end`, `double white`, `roll 6 5`, `resign black mars`."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.match import FORM, Command, Mode, SeatingTextError, commands, parse_seatings
from controller.rules import Player, ResultKind, quote_value

ANSWERS = "answers"
"""The line that lists the question that is open; a line with a number answers it. The caller knows the question."""


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
        raise CommandTextError(
            f"{quote_value(word)} is no order; write one of {', '.join(order.word for order in _COMMANDS)}."
        )
    try:
        return order.parse(rest)
    except SeatingTextError as error:
        raise CommandTextError(f"{order.word}: {error}.") from None
    except (ValueError, LookupError):
        raise CommandTextError(f"Write it as: {order.word} {order.form}".rstrip() + ".") from None


def list_commands() -> list[str]:
    """The lines of the help: every command with its meaning."""
    answers = ((ANSWERS, "what is asked, with numbered answers"), ("N", "the answer with this number; 0 takes it back"))
    commands = ((f"{order.word} {order.form}".rstrip(), order.meaning) for order in _COMMANDS)
    return [f"{form:<36} {meaning}" for form, meaning in (*answers, *commands)]


_PLAYERS = {"w": Player.WHITE, "white": Player.WHITE, "b": Player.BLACK, "black": Player.BLACK}
# `board` takes a player only by the whole word, because a position of Grasshopper ends with a letter.
_SIDES = ("white", "black")


def _parse_player(words: list[str]) -> Player:
    (word,) = words
    return _PLAYERS[word.lower()]


def _parse_end_turn(words: list[str]) -> Command:
    return commands.EndTurn(_parse_player(words)) if words else commands.EndTurn()


def _parse_dispute(words: list[str]) -> Command:
    return commands.CallDispute(_parse_player(words)) if words else commands.CallDispute()


def _parse_settlement(words: list[str]) -> Command:
    if [word.lower() for word in words] not in ([], ["upheld"]):
        raise ValueError(words)
    return commands.SettleDispute(is_upheld=bool(words))


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


def _plain(kind: Callable[[], Command]) -> Callable[[list[str]], Command]:
    """The parser of a command without arguments."""

    def parse(words: list[str]) -> Command:
        if words:
            raise ValueError(words)
        return kind()

    return parse


def _of_player(kind: Callable[[Player], Command]) -> Callable[[list[str]], Command]:
    return lambda words: kind(_parse_player(words))


_SIDE = "|".join(_SIDES)
_COMMANDS = (
    _CommandSyntax("end", f"[{_SIDE}]", "the turn is over", _parse_end_turn),
    _CommandSyntax("double", _SIDE, "offers to double", _of_player(commands.OfferDouble)),
    _CommandSyntax("take", _SIDE, "takes the double", _of_player(commands.TakeDouble)),
    _CommandSyntax("drop", _SIDE, "drops it", _of_player(commands.DropDouble)),
    _CommandSyntax("beaver", _SIDE, "takes and doubles again", _of_player(commands.Beaver)),
    _CommandSyntax("resign", f"{_SIDE} [single|mars|koks]", "gives the game up", _parse_resign),
    _CommandSyntax("answer", f"{_SIDE} yes|no", "answers a resignation", _parse_answer),
    _CommandSyntax("roll", "N N", "what was thrown (opening: White's, then Black's)", _parse_roll),
    _CommandSyntax(
        "play", "POSITION", "which of the possible boards it is", lambda words: commands.ChoosePlay(_join_words(words))
    ),
    _CommandSyntax("board", f"POSITION [{_SIDE}]", "what stands on the board, and who throws next", _parse_board),
    _CommandSyntax("back", "", "the last play did not happen", _plain(commands.TakeBackPlay)),
    _CommandSyntax("condone", "", "the illegal play stands", _plain(commands.Condone)),
    _CommandSyntax("withdraw", "", "the roll does not count", _plain(commands.WithdrawRoll)),
    _CommandSyntax("accept", "", "the early roll stands", _plain(commands.AcceptRoll)),
    _CommandSyntax("seating", FORM, "who sits where", _parse_seating),
    _CommandSyntax("starter", _SIDE, "who starts", _of_player(commands.SetStarter)),
    _CommandSyntax("pause", "", "stand still", _plain(commands.Pause)),
    _CommandSyntax("resume", "", "go on", _plain(commands.Resume)),
    _CommandSyntax("dispute", f"[{_SIDE}]", "stop to talk it over, and who wants it", _parse_dispute),
    _CommandSyntax("settle", "[upheld]", "the talk is over; upheld: who called it was right", _parse_settlement),
    _CommandSyntax("confirm", _SIDE, "the score after the game is right", _of_player(commands.ConfirmResult)),
    _CommandSyntax("mode", "|".join(mode.value for mode in Mode), "what may light up and speak", _parse_mode),
    _CommandSyntax("next", "", "the next game", _plain(commands.NextGame)),
)
