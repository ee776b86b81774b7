"""What GNU Backgammon found in a match: how much each player lost, and every mistake with its position.

The answer of the program inside GNU Backgammon (`gnubg_program.py`) is laid beside the match: its boards and dice tell which
turn of the match a mistake belongs to. Plays that another program cannot replay are not in the answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.formats import (
    GameHistory,
    MatchHistory,
    MatchState,
    PlayedTurn,
    gnubgid,
    parse_position_id,
    uses_jacoby,
    xgid,
)
from controller.rules import Player

LEAST_LOSS = 0.02
"""A knob: what costs less is not kept. GNU Backgammon calls nothing below 0.03 doubtful."""
BLUNDER_LOSS = 0.12
"""GNU Backgammon's limit of "very bad" (??), since its version 1.07 (gnubg.c, change of 2019-02-24; 0.16 before)."""

_PLAYERS = (Player.WHITE, Player.BLACK)
_RATINGS = (
    *("Awful!", "Beginner", "Casual player", "Intermediate", "Advanced", "Expert", "World class", "Supernatural"),
    "",
)
_CASH = 1.0  # what a dropped double is worth


@dataclass(frozen=True, slots=True)
class PlayerErrors:
    """One player's decisions with a choice, and the points lost in them. A double that is far off is no cube decision."""

    plays: int = 0
    play_loss: float = 0.0
    cubes: int = 0
    cube_loss: float = 0.0

    def __add__(self, other: "PlayerErrors") -> "PlayerErrors":
        return PlayerErrors(
            self.plays + other.plays,
            self.play_loss + other.play_loss,
            self.cubes + other.cubes,
            self.cube_loss + other.cube_loss,
        )

    @property
    def decisions(self) -> int:
        return self.plays + self.cubes

    @property
    def rate(self) -> float | None:
        """Thousandths of a point for each decision; 0 is perfect play, None without a decision."""
        return 1000 * (self.play_loss + self.cube_loss) / self.decisions if self.decisions else None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that lost `loss` points. `turn` 0: no roll followed. `roll` has two digits, none for the cube.

    `decision` is play or cube. `owner` is W, B or empty for a cube in the middle. `score`: the player's, the opponent's.
    """

    game: int
    turn: int
    player: Player
    decision: str
    roll: str
    xgid: str
    gnubgid: str
    cube: int
    owner: str
    score: tuple[int, int]
    length: int
    made: str
    best: str
    loss: float


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """Thousandths of a point that each player lost per unforced decision; 0 is perfect play."""

    what: str
    white: float
    black: float
    white_rating: str = ""
    black_rating: str = ""


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """`errors` are White's and Black's. `mistakes` cost `LEAST_LOSS` or more each."""

    errors: tuple[PlayerErrors, PlayerErrors]
    mistakes: tuple[Mistake, ...] = ()
    rates: tuple[ErrorRate, ...] = ()


def make_analysis(match: MatchHistory, answer: Mapping[str, Any]) -> MatchAnalysis:
    """Raises ValueError, KeyError, TypeError or IndexError where the answer has another form."""
    white, black = answer["players"]
    errors = (_read_errors(white), _read_errors(black))
    mistakes: list[Mistake] = []
    games = iter(match.games)
    for found in answer["games"]:
        # A game without a turn is no game for GNU Backgammon.
        game = next((one for one in games if list(one.score) == found["score"]), None)
        if game is not None:
            mistakes += _find_mistakes(match, game, found["records"])
    return MatchAnalysis(errors, tuple(mistakes), tuple(_make_rates(errors, (white["ratings"], black["ratings"]))))


def _read_errors(found: Mapping[str, Any]) -> PlayerErrors:
    return PlayerErrors(
        int(found["plays"]), abs(float(found["play_loss"])), int(found["cubes"]), abs(float(found["cube_loss"]))
    )


def _make_rates(errors: tuple[PlayerErrors, PlayerErrors], ratings: tuple[list[int], list[int]]) -> Iterator[ErrorRate]:
    if not any(one.decisions for one in errors):
        return
    plays = [PlayerErrors(one.plays, one.play_loss) for one in errors]
    cubes = [PlayerErrors(cubes=one.cubes, cube_loss=one.cube_loss) for one in errors]
    for at, (what, (white, black)) in enumerate((("checker play", plays), ("cube", cubes), ("overall", errors))):
        yield ErrorRate(what, white.rate or 0.0, black.rate or 0.0, _RATINGS[ratings[0][at]], _RATINGS[ratings[1][at]])


def _find_mistakes(match: MatchHistory, game: GameHistory, records: Iterable[Mapping[str, Any]]) -> Iterator[Mistake]:
    left = list(game.played_turns)
    for record in records:
        player = _PLAYERS[record["player"]]
        is_play = record["action"] == "move"
        turn = _find_turn(left, player if record["action"] in ("move", "double") else player.opponent, record["dice"])
        if is_play and turn is not None:
            del left[: left.index(turn) + 1]
        state = _make_state(match, game, record)
        for decision, made, best, loss in _list_losses(record):
            if loss < LEAST_LOSS:
                continue
            is_of_cube = decision == "cube"
            moment = _before_roll(state, record) if is_of_cube else state
            yield Mistake(
                game.number,
                0 if turn is None else turn.number,
                player,
                decision,
                "" if is_of_cube else "".join(map(str, record["dice"])),
                xgid(moment),
                gnubgid(moment),
                moment.cube,
                "" if moment.owner is None else moment.owner.value,
                game.score if player is Player.WHITE else game.score[::-1],
                match.length or 0,
                made,
                best,
                round(loss, 4),
            )


def _find_turn(left: Sequence[PlayedTurn], player: Player, dice: list[int]) -> PlayedTurn | None:
    """The next turn with these dice; of a decision about the cube, the next turn if it is the player's."""
    if not dice:
        return left[0] if left and left[0].player is player else None
    return next((one for one in left if one.player is player and sorted(one.roll[:2]) == sorted(dice)), None)


def _list_losses(record: Mapping[str, Any]) -> Iterator[tuple[str, str, str, float]]:
    """What kind of decision, what was done, what was best, and the points lost; a turn has two decisions."""
    if record["double"] is not None:
        no_double, double_take = map(float, record["double"])
        double = min(double_take, _CASH)
        best = max(no_double, double)
        should = "double" if double > no_double else "no double"
        answer = "take" if double_take < _CASH else "drop"
        match record["action"]:
            case "move":
                yield "cube", "no double", should, best - no_double
            case "double":
                yield "cube", "double", should, best - double
            case "take":
                yield "cube", "take", answer, double_take - double
            case _:
                yield "cube", "drop", answer, _CASH - double
    if record["action"] == "move":
        yield "play", str(record["made"]), str(record["best"]), float(record["loss"])


def _make_state(match: MatchHistory, game: GameHistory, record: Mapping[str, Any]) -> MatchState:
    """The position of a decision, from the side of the player whose turn it is."""
    waiting, rolling = parse_position_id(record["board"])
    player = _PLAYERS[record["player"]]
    is_answer = record["action"] in ("take", "drop")
    on_roll = player.opponent if is_answer else player
    white, black = (rolling, waiting) if on_roll is Player.WHITE else (waiting, rolling)
    dice = record["dice"]
    return MatchState(
        white,
        black,
        on_roll,
        player,
        dice=(dice[0], dice[1]) if dice else None,
        cube=int(record["cube"]),
        owner=None if record["owner"] < 0 else _PLAYERS[record["owner"]],
        score=game.score,
        length=match.length or 0,
        is_crawford=game.is_crawford,
        jacoby=uses_jacoby(match),
        beavers=not match.length and match.rules is not None and match.rules.beaver,
        doubled=is_answer,
    )


def _before_roll(state: MatchState, record: Mapping[str, Any]) -> MatchState:
    """The position of a decision about the cube, which has no dice."""
    return replace(state, dice=None) if record["dice"] else state
