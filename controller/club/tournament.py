"""A simple tournament as frozen values: a league in which each meets each once, or a knock-out. Everything is computed from the
list of players and the results so far; nothing is drawn by lot: the order of the list is the seeding.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from controller.club.hall import TableView
from controller.club.reading import MOST_NAME, MatchView, clean_text

MOST_PLAYERS, MOST_LENGTH = 128, 99
_KEYS = ("format", "length", "players", "tables")
_BYE = ""


class TournamentError(ValueError):
    """What is wrong with a list or a result, and what to do, without a full stop."""


class Format(Enum):
    """Each meets each, or who loses is out."""

    LEAGUE = "league"
    KNOCKOUT = "knockout"


@dataclass(frozen=True, slots=True)
class Tournament:
    """`length`: points of a match. `tables`: as they are called in topics; may be empty."""

    format: Format
    length: int
    players: tuple[str, ...]
    tables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """A match of two players of the list. `match`: its name at the table, empty where a person entered it."""

    first: str
    second: str
    points: tuple[int, int]
    table: str = ""
    match: str = ""
    is_confirmed: bool = False

    @property
    def winner(self) -> str:
        return self.first if self.points[0] > self.points[1] else self.second


Results = tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets whom in which round, at which table. A player None: not known before another match has a confirmed result."""

    round: int
    first: str | None
    second: str | None
    table: str = ""
    result: Result | None = None


def read_tournament(values: Mapping[str, object]) -> Tournament:
    """From the values of a TOML file. Raises TournamentError."""
    for key in values:
        if key not in _KEYS:
            raise TournamentError(f"there is no {clean_text(key)!r} in a tournament; give {', '.join(_KEYS)}")
    known = {one.value: one for one in Format}
    form, length = known.get(str(values.get("format"))), values.get("length")
    if form is None:
        raise TournamentError(f"format is neither of {' and '.join(known)}; give one")
    if not isinstance(length, int) or isinstance(length, bool) or not 1 <= length <= MOST_LENGTH:
        raise TournamentError(f"length is no number of points; give 1 to {MOST_LENGTH}")
    players, tables = _names(values.get("players"), "players"), _names(values.get("tables", []), "tables")
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise TournamentError(f"there are {len(players)} players; give 2 to {MOST_PLAYERS}")
    return Tournament(form, length, players, tables)


def _names(found: object, key: str) -> tuple[str, ...]:
    if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
        raise TournamentError(f'{key} is no list of names; write {key} = ["A", "B"]')
    names = tuple(clean_text(one.strip()) for one in found)
    if any(len(one) > MOST_NAME for one in found) or len({one.casefold() for one in names}) < len(names):
        raise TournamentError(f"{key} has a name twice, or one of more than {MOST_NAME} letters; make each its own")
    return names


def list_pairings(tournament: Tournament, results: Results) -> tuple[Pairing, ...]:
    """All pairings in the order in which they are played, with their results. Byes are left out."""
    by_pair = {frozenset((one.first, one.second)): one for one in results}
    make = _league_rounds if tournament.format is Format.LEAGUE else _knockout_rounds
    found = []
    for number, pairs in enumerate(make(tournament.players, by_pair), 1):
        for place, (first, second) in enumerate(pairs):
            result = by_pair.get(frozenset((first or "", second or "")))
            table = tournament.tables[place % len(tournament.tables)] if tournament.tables else ""
            found.append(Pairing(number, first, second, table, result))
    return tuple(found)


_Pairs = list[tuple[str | None, str | None]]
_ByPair = Mapping[frozenset[str], Result]


def _league_rounds(players: tuple[str, ...], _results: _ByPair) -> Iterator[_Pairs]:
    """The circle method: one stays, the others move on by one place a round."""
    circle = [*players, *([_BYE] if len(players) % 2 else [])]
    for _ in range(len(circle) - 1):
        half = len(circle) // 2
        pairs = zip(circle[:half], reversed(circle[half:]), strict=True)
        yield [pair for pair in pairs if _BYE not in pair]
        circle = [circle[0], circle[-1], *circle[1:-1]]


def _knockout_rounds(players: tuple[str, ...], results: _ByPair) -> Iterator[_Pairs]:
    """The first of the list meets the last, and both halves hold one of the first two. Free places go to the first ones."""
    order = [0]
    while len(order) < len(players):
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    places: list[str | None] = [players[seed] if seed < len(players) else _BYE for seed in order]
    while len(places) > 1:
        pairs = list(zip(places[::2], places[1::2], strict=True))
        yield [pair for pair in pairs if _BYE not in pair]
        places = [_advancing(first, second, results) for first, second in pairs]


def _advancing(first: str | None, second: str | None, results: _ByPair) -> str | None:
    if _BYE in (first, second):
        return first or second
    result = None if first is None or second is None else results.get(frozenset((first, second)))
    return result.winner if result is not None and result.is_confirmed else None


def collect_results(tournament: Tournament, results: Results, tables: Iterable[TableView]) -> Results:
    """The results with those of matches that have ended at tables which are there. Both players confirm at the table; a result
    that is confirmed, or that a person entered, stays.
    """
    for table in tables:
        state = table.state
        if state is None or not table.is_online or state.match.length != tournament.length:
            continue
        found = _result_of(tournament, results, state.match, table.name)
        if found is not None:
            results = with_result(results, found)
    return results


def _result_of(tournament: Tournament, results: Results, match: MatchView, table: str) -> Result | None:
    names = {name.casefold(): name for name in tournament.players}
    white, black = (names.get(name.strip().casefold()) for name in (match.white, match.black))
    if match.winner is None or white is None or black is None:
        return None
    pair = frozenset((white, black))
    pairing = next((one for one in list_pairings(tournament, results) if {one.first, one.second} == pair), None)
    if pairing is None or pairing.first is None or pairing.second is None:
        return None
    known = pairing.result
    if known is not None and (known.is_confirmed or known.match != match.id):
        return None
    points = match.score if pairing.first == white else (match.score[1], match.score[0])
    is_confirmed = len(match.confirmed_by) == 2
    found = Result(pairing.first, pairing.second, points, table, match.id, is_confirmed)
    is_won = found.winner == (white if match.winner == "W" else black)
    return found if is_won and _is_score(points, tournament.length) else None


def with_result(results: Results, new: Result) -> Results:
    """The results with this one, in the place of an earlier one of its pair."""
    pair = {new.first, new.second}
    return (*(one for one in results if {one.first, one.second} != pair), new)


def enter_result(tournament: Tournament, results: Results, names: tuple[str, str], score: str) -> Results:
    """A result that the director enters, which is confirmed by that; `score` as 7-3. Raises TournamentError."""
    known = {name.casefold(): name for name in tournament.players}
    for name in names:
        if name.strip().casefold() not in known:
            raise TournamentError(f"no player of the list is called {name!r}; write the name as the list has it")
    first, second = (known[name.strip().casefold()] for name in names)
    if not any({one.first, one.second} == {first, second} for one in list_pairings(tournament, results)):
        raise TournamentError(f"{first} and {second} do not meet; zarbiter club draw shows who does")
    parts = score.split("-")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= 3 for part in parts):
        raise TournamentError(f"{score!r} is no score; write the points of both, as 7-3")
    points = int(parts[0]), int(parts[1])
    if not _is_score(points, tournament.length):
        raise TournamentError(f"{score} ends no match to {tournament.length}; only the winner has so many points")
    return with_result(results, Result(first, second, points, is_confirmed=True))


def _is_score(points: tuple[int, int], length: int) -> bool:
    return 0 <= min(points) < length <= max(points) <= length + 999


def count_wins(tournament: Tournament, results: Results) -> tuple[tuple[str, int, int], ...]:
    """Player, matches won, matches played, of confirmed results; most wins first, then in the order of the list."""
    confirmed = [one for one in results if one.is_confirmed]
    rows = [
        (
            player,
            sum(one.winner == player for one in confirmed),
            sum(player in (one.first, one.second) for one in confirmed),
        )
        for player in tournament.players
    ]
    return tuple(sorted(rows, key=lambda row: -row[1]))
