"""Answers questions of the kind `plays`: the legal results of one stage, and what stands against other boards."""

from dataclasses import dataclass
from hashlib import sha256

from controller.rule_answers.fields import (
    Case,
    CaseError,
    Choice,
    ListOf,
    OrNone,
    Whole,
    flag,
    items,
    optional,
    required,
)
from controller.rule_answers.table_fields import as_case_error, numbers, position_under, roll, rules_of, setup
from controller.rules.errors import NumbersError
from controller.rules.judging.judge import judge_stage
from controller.rules.notation import position_text
from controller.rules.player import OFF, Player
from controller.rules.plays.legal_plays import first_steps, ways_to_end
from controller.rules.position import Position
from controller.rules.roll import Roll
from controller.rules.ruleset import Ruleset
from controller.rules.rulings import Illegal
from controller.rules.setup import Setup
from controller.rules.stages import RollCounters, Stage, Throw, ThrowKind, after_stage, is_cascade, stage_of, stages_of

MOST_RESULTS = 500  # above that only their count and checksum are printed


Ways = tuple[tuple[Position, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class StageCase:
    """One stage as it is asked about."""

    rules: Ruleset
    player: Player
    before: Position
    stage: Stage
    kind: ThrowKind
    throw: Throw | None  # the roll it belongs to, where that is known
    index: int


def read_stage(case: Case, rules: Ruleset, position_field: str) -> StageCase:
    """The stage that a case (or one event of a game) describes."""
    player = required(case, "player", Choice(Player))
    before = required(case, position_field, position_under(rules))
    kind = optional(case, "kind", Choice(ThrowKind), ThrowKind.ROLL)
    # handed-over numbers never enjoy what the first throw does (3.1), whatever the case says
    first_roll = optional(case, "first_roll", flag, default=False) and kind is ThrowKind.ROLL
    head_taken = optional(case, "head_taken", Whole(0, rules.checkers), 0)
    asked = required(case, "numbers", numbers)
    try:
        stage = stage_of(asked, first_roll=first_roll, head_taken=head_taken)
    except NumbersError as error:
        raise as_case_error("numbers", error) from None
    thrown = optional(case, "roll", OrNone(roll), None)
    throw = None if thrown is None or kind is ThrowKind.TRANSFER else _throw(case, thrown, rules)
    index = 0
    if throw is not None:
        index = optional(case, "stage", OrNone(Whole(0, len(throw.stages) - 1)), 0) or 0
        if throw.stages[index] != stage.numbers:
            expected = list(throw.stages[index])
            raise CaseError(
                f"field 'numbers': stage {index} of this roll has the numbers {expected}; correct one of both"
            )
    return StageCase(rules, player, before, stage, kind, throw, index)


def _throw(case: Case, thrown: Roll, rules: Ruleset) -> Throw:
    before = optional(case, "rolls_before", OrNone(Whole(0, 1_000_000)), None)
    cascade = optional(case, "cascade", OrNone(flag), None)
    if cascade is None:
        # a player's own count is half of both, rounded down; without a count it is long after the opening
        count = 99 if before is None else before
        cascade = is_cascade(thrown, rules, RollCounters(count, count // 2))
    if cascade and not thrown.is_double:
        raise CaseError("field 'cascade': only a double is a cascade; give false or a double")
    return Throw(ThrowKind.ROLL, stages_of(thrown, rules, cascade=cascade), cascade, thrown.is_double)


def answer(case: Case, house: Ruleset | None = None) -> dict[str, object]:
    """The shape of `expect`, and `illegal`: for each asked board the rules that stand against it."""
    rules = rules_of(case, house)
    asked = read_stage(case, rules, "pos")
    boards = optional(case, "illegal", ListOf(_asked_board), ())
    ways = ways_to_end(asked.before, asked.player, asked.stage, rules)
    results = sorted({position_text(after) for after, _ in ways})
    used = [len(asked.stage.numbers) - len(unused) for _, unused in ways]
    unused = _common_unused(ways, asked.player, rules)
    steps = first_steps(asked.before, asked.player, asked.stage, rules)
    return {
        "n": len(results),
        "results": results if len(results) <= MOST_RESULTS else None,
        "sha256": sha256("\n".join(results).encode()).hexdigest(),
        "used": [min(used), max(used)],
        "unused": None if unused is None else list(unused),
        "first_steps": sorted({(step.source, step.target, step.number) for step in steps}),
        "stages": None if asked.throw is None else [list(group) for group in asked.throw.stages],
        "after": _after(asked, unused),
        "illegal": [_standing_against(asked, board) for board in boards],
    }


def _asked_board(value: object, name: str) -> Setup:
    """A position text, alone or as the first of a pair with the rule that is expected."""
    if isinstance(value, str):
        return setup(value, name)
    entries = items(value, name)
    if not entries:
        raise CaseError(f"field {name!r}: there is no position; give a position text")
    return setup(entries[0], name)


def _common_unused(ways: Ways, player: Player, rules: Ruleset) -> tuple[int, ...] | None:
    """What every legal play that does not end the game leaves unplayed, when it is always the same."""
    left = {unused for after, unused in ways if after.counts(player)[OFF] < rules.checkers}
    return left.pop() if len(left) == 1 else None


def _after(asked: StageCase, unused: tuple[int, ...] | None) -> str | None:
    if asked.throw is None or unused is None:
        return None
    return str(after_stage(asked.throw, asked.index, unused, asked.rules))


def _standing_against(asked: StageCase, board: Setup) -> list[str]:
    ruling = judge_stage(asked.before, asked.player, asked.stage, board, asked.rules, kind=asked.kind)
    return [rule.value for rule in ruling.rules] if isinstance(ruling, Illegal) else []
