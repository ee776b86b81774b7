"""The single steps of a play, in the order of GNU Backgammon.

The referee sees boards, and several orders of steps often lead from one board to the next. GNU Backgammon's move list
keeps the first sequence found for each board: the higher die first, for each die the rearmost checker first, and for a
double no checker from behind the one moved before. The same search order makes the written play byte for byte equal.
"""

from dataclasses import dataclass, field

from controller.rules import BAR, OFF, Player, parse_setup

PlaySteps = tuple[tuple[int, int], ...]  # (from, to) along the mover's own path; 25 is the bar, 0 is off
_MOST_STEPS = 4


@dataclass(slots=True)
class _StepBoard:
    """The counts of the mover and of the opponent, each along his own path from 0 (off) to 25 (bar)."""

    mover: list[int]
    other: list[int]

    def step(self, source: int, target: int) -> bool:
        """Moves one checker; returns whether it hit."""
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
        """Tries every sequence in order; keeps the first of the longest that reach the goal."""
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
    """The steps of a legal play in a game with hits; None if no play of the roll leads from one board to the other."""
    high, low = max(roll), min(roll)
    orders = [(high,) * 4] if high == low else [(high, low), (low, high)]
    search = _Search(_parse_board(before, mover), _parse_board(after, mover), high == low)
    for numbers in orders:
        search.run(numbers, BAR)
    return search.longest


def find_illegal_steps(before: str, after: str, mover: Player) -> PlaySteps | None:
    """One step for each checker that an illegal play moved; None if four such steps cannot express it.

    GNU Backgammon replays these steps without checking the dice, as long as checkers move forward to open points and hit
    the blots there.
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
    """The destination of the checker with this number; None if it cannot move."""
    target = source - number
    if target > OFF:
        return None if board.other[25 - target] > 1 else target
    if any(board.mover[7:26]) or (target < OFF and any(board.mover[source + 1 : 7])):
        return None
    return OFF
