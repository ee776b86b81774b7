"""All counted matches together: each player's totals, error rates, and the table of blunders."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.formats import PlayerTotals, player_key, total_players
from controller.rules import Player
from controller.statistics.analysis import Mistake, PlayerErrors
from controller.statistics.counting import FolderCounts
from controller.statistics.store import CountedMatch, list_analysed, load_analysis

BLUNDER_COLUMNS = (
    *("match", "game", "turn", "player", "decision", "roll", "xgid", "gnubgid", "cube", "cube_owner"),
    *("length", "score", "opponent_score", "made", "best", "loss"),
)


@dataclass(frozen=True, slots=True)
class ArchiveTotals:
    """`errors` are by `player_key`, of the analysed matches. `n_for_gnubg` matches can be analysed, `n_analysed` are."""

    players: tuple[PlayerTotals, ...]
    errors: dict[str, PlayerErrors]
    n_matches: int
    n_left: int
    n_for_gnubg: int
    n_analysed: int
    problems: tuple[str, ...]

    @property
    def rates(self) -> dict[str, float]:
        """The error rate of each player who has one, by `player_key`."""
        return {key: one.rate for key, one in self.errors.items() if one.rate is not None}


@dataclass(slots=True)
class ErrorsReader:
    """The errors of analysed matches; each analysis is read once."""

    data: Path
    _read: dict[str, tuple[PlayerErrors, PlayerErrors] | None] = field(default_factory=dict)

    def read(self, head: str) -> tuple[PlayerErrors, PlayerErrors] | None:
        if head not in self._read:
            found = load_analysis(self.data, head)
            self._read[head] = None if found is None else found.errors
        return self._read[head]

    def forget(self, head: str) -> None:
        """Reads the analysis of a match anew, because it has changed."""
        self._read.pop(head, None)


def total_archive(counts: FolderCounts, reader: ErrorsReader) -> ArchiveTotals:
    """Adds up all counted matches."""
    errors: dict[str, PlayerErrors] = {}
    analysed, n_analysed = list_analysed(reader.data), 0
    for one in counts.matches:
        found = reader.read(one.head) if one.is_for_gnubg and one.head in analysed else None
        if found is None:
            continue
        n_analysed += 1
        for player, lost in zip(one.players, found, strict=True):
            key = player_key(player.name)
            errors[key] = errors.get(key, PlayerErrors()) + lost
    readable = [one for one in counts.matches if one.players]
    return ArchiveTotals(
        total_players(player for one in readable for player in one.players),
        errors,
        len(readable),
        counts.n_left,
        sum(one.is_for_gnubg for one in readable),
        n_analysed,
        tuple(one.problem for one in counts.matches if one.problem),
    )


def list_blunders(data: Path, counts: FolderCounts, least_loss: float) -> Iterator[tuple[CountedMatch, Mistake, str]]:
    """Every mistake that lost so much, with its match and the player's name; the oldest match first."""
    for one in counts.matches:
        found = load_analysis(data, one.head) if one.is_for_gnubg else None
        for mistake in () if found is None else found.mistakes:
            if mistake.loss >= least_loss:
                yield one, mistake, one.players[0 if mistake.player is Player.WHITE else 1].name


def blunder_record(one: CountedMatch, mistake: Mistake, name: str) -> dict[str, object]:
    """A row of the table of blunders, with the columns of `BLUNDER_COLUMNS`."""
    return {
        "match": Path(one.identity.name).stem,
        "game": mistake.game,
        "turn": mistake.turn or None,
        "player": name,
        "decision": mistake.decision,
        "roll": mistake.roll,
        "xgid": mistake.xgid,
        "gnubgid": mistake.gnubgid,
        "cube": mistake.cube,
        "cube_owner": mistake.owner,
        "length": mistake.length,
        "score": mistake.score[0],
        "opponent_score": mistake.score[1],
        "made": mistake.made,
        "best": mistake.best,
        "loss": mistake.loss,
    }
