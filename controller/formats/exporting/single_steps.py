"""The single steps of a play, in the order in which GNU Backgammon would have found them.

The referee sees boards, and often several orders of steps lead from one to the next. Its own move list keeps the first
way to each board: the higher die first, of each die the hindmost checker first, of a double no checker from further
back than the one before. Written so, a play is byte for byte what GNU Backgammon writes.
"""

from dataclasses import dataclass, field

from controller.rules import BAR, OFF, Player, parse_setup

PlaySteps = tuple[tuple[int, int], ...]  # (from, to) along the mover's own path; 25 is the bar, 0 is off
_MOST_STEPS = 4


@dataclass(slots=True)
class _StepBoard:
    """Counts by own coordinate, 0 borne off to 25 bar: of the mover and of the other, each along his own path."""

    mover: list[int]
    other: list[int]

    def step(self, source: int, target: int) -> bool:
        """Whether it hit."""
        self.mover[source] -= 1
        self.mover[target] += 1
        hits = target != OFF and self.other[25 - target] == 1
        if hits:
            self.other[25 - target] = 0
            self.other[BAR] += 1
        return hits

    def undo(self, source: int, target: int, *, hit: bool) -> None:
        self.mover[source] += 1
        self.mover[target] -= 1
        if hit:
            self.other[25 - target] = 1
            self.other[BAR] -= 1


@dataclass(slots=True)
class _Search:
    board: _StepBoard
    goal: _StepBoard
    is_double: bool
    longest: PlaySteps | None = None
    path: list[tuple[int, int]] = field(default_factory=list)

    def run(self, numbers: tuple[int, ...], from_point: int) -> None:
        """Every way in order; the first of the longest stays."""
        if self.board == self.goal and (self.longest is None or len(self.path) > len(self.longest)):
            self.longest = tuple(self.path)
        if not numbers or (self.longest is not None and len(self.longest) == len(self.path) + len(numbers)):
            return
        for source in _list_sources(self.board, from_point):
            target = _find_target(self.board, source, numbers[0])
            if target is None:
                continue
            hit = self.board.step(source, target)
            self.path.append((source, target))
            self.run(numbers[1:], source if self.is_double else BAR)
            self.path.pop()
            self.board.undo(source, target, hit=hit)


def find_steps(before: str, after: str, mover: Player, roll: tuple[int, ...]) -> PlaySteps | None:
    """The steps of a legal play of a game that hits; None where no play of the roll leads from one board to the other."""
    high, low = max(roll), min(roll)
    ways = [(high,) * 4] if high == low else [(high, low), (low, high)]
    search = _Search(_parse_board(before, mover), _parse_board(after, mover), high == low)
    for numbers in ways:
        search.run(numbers, BAR)
    return search.longest


def find_illegal_steps(before: str, after: str, mover: Player) -> PlaySteps | None:
    """The steps of an illegal play, one for each checker that moved; None where no four steps tell it.

    GNU Backgammon replays such steps without asking for the dice, as long as checkers go forward to points that are
    not held against them and whatever they meet there is hit.
    """
    start, goal = _parse_board(before, mover), _parse_board(after, mover)
    left = [place for place in range(BAR, OFF, -1) for _ in range(start.mover[place] - goal.mover[place])]
    come = [place for place in range(BAR, -1, -1) for _ in range(goal.mover[place] - start.mover[place])]
    if len(left) != len(come) or len(left) > _MOST_STEPS:
        return None
    for source, target in zip(left, come, strict=True):
        if target >= source or (target and start.other[25 - target] > 1):
            return None
        start.step(source, target)
    return tuple(zip(left, come, strict=True)) if start == goal else None


def _parse_board(text: str, mover: Player) -> _StepBoard:
    setup = parse_setup(text)
    return _StepBoard(list(setup.side(mover).counts[:26]), list(setup.side(mover.opponent).counts[:26]))


def _list_sources(board: _StepBoard, from_point: int) -> list[int]:
    if board.mover[BAR]:
        return [BAR]
    return [point for point in range(min(from_point, 24), 0, -1) if board.mover[point]]


def _find_target(board: _StepBoard, source: int, number: int) -> int | None:
    """Where the number takes the checker; None where it cannot go."""
    target = source - number
    if target > OFF:
        return None if board.other[25 - target] > 1 else target
    if any(board.mover[7:26]) or (target < OFF and any(board.mover[source + 1 : 7])):
        return None
    return OFF
