"""The kinds `plays` and `flow`: the legal results of one stage and the rules against other boards; the stages of a roll."""

from collections import Counter
from dataclasses import dataclass
from hashlib import sha256

from controller.rule_answers import fields
from controller.rule_answers.table_fields import (
    make_position_reader,
    read_numbers,
    read_roll,
    read_rules,
    read_setup,
    read_unused_numbers,
    to_case_error,
)
from controller.rules import (
    OFF,
    Illegal,
    NumbersError,
    Player,
    Position,
    Roll,
    RollCounters,
    Ruleset,
    Setup,
    Stage,
    Throw,
    ThrowKind,
    find_follow,
    first_steps,
    is_cascade,
    judge_stage,
    list_endings,
    make_own_throw,
    make_stage,
    make_transfer_throw,
    position_text,
    split_into_stages,
)

_MOST_ROLLS = 1_000_000  # in one game
MOST_RESULTS = 500  # a longer list is answered by its count and checksum alone


Endings = tuple[tuple[Position, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class StageCase:
    """The stage that a case asks about."""

    rules: Ruleset
    player: Player
    before: Position
    stage: Stage
    kind: ThrowKind
    throw: Throw | None  # the roll of the stage, if it is known
    index: int


def read_stage(case: fields.Case, rules: Ruleset, position_field: str) -> StageCase:
    """Reads the stage that a case, or one event of a game, describes."""
    player = fields.read_required(case, "player", fields.EnumChoice(Player))
    before = fields.read_required(case, position_field, make_position_reader(rules))
    kind = fields.read_optional(case, "kind", fields.EnumChoice(ThrowKind), ThrowKind.ROLL)
    # Handed-over numbers are never the first throw, whatever the case says.
    first_roll = fields.read_optional(case, "first_roll", fields.read_flag, default=False) and kind is ThrowKind.ROLL
    head_taken = fields.read_optional(case, "head_taken", fields.WholeNumber(0, rules.checkers), 0)
    asked = fields.read_required(case, "numbers", read_numbers)
    try:
        stage = make_stage(asked, first_roll=first_roll, head_taken=head_taken)
    except NumbersError as error:
        raise to_case_error("numbers", error) from None
    thrown = fields.read_optional(case, "roll", fields.OrNone(read_roll), None)
    throw = None if thrown is None or kind is ThrowKind.TRANSFER else _make_throw(case, thrown, rules)
    index = 0
    if throw is not None:
        index = fields.read_optional(case, "stage", fields.OrNone(fields.WholeNumber(0, len(throw.stages) - 1)), 0) or 0
        if throw.stages[index] != stage.numbers:
            expected = list(throw.stages[index])
            raise fields.CaseError(
                f"field 'numbers': stage {index} of this roll has the numbers {expected}; correct one of both"
            )
    return StageCase(rules, player, before, stage, kind, throw, index)


def _make_throw(case: fields.Case, thrown: Roll, rules: Ruleset) -> Throw:
    before = fields.read_optional(case, "rolls_before", fields.OrNone(fields.WholeNumber(0, _MOST_ROLLS)), None)
    cascade = fields.read_optional(case, "cascade", fields.OrNone(fields.read_flag), None)
    if cascade is None:
        # A player's own count is half of both players' count, rounded down; the default is long after the opening.
        count = 99 if before is None else before
        cascade = is_cascade(thrown, rules, RollCounters(count, count // 2))
    if cascade and not thrown.is_double:
        raise fields.CaseError("field 'cascade': only a double is a cascade; give false or a double")
    return Throw(ThrowKind.ROLL, split_into_stages(thrown, rules, cascade=cascade), cascade, thrown.is_double)


def answer_plays(case: fields.Case, house: Ruleset | None = None) -> dict[str, object]:
    """The legal results and what follows, and in `illegal` the rules that stand against each asked board."""
    rules = read_rules(case, house)
    asked = read_stage(case, rules, "pos")
    boards = fields.read_optional(case, "illegal", fields.ListOf(_read_board), ())
    endings = list_endings(asked.before, asked.player, asked.stage, rules)
    results = sorted({position_text(after) for after, _ in endings})
    used = [len(asked.stage.numbers) - len(unused) for _, unused in endings]
    unused = _find_common_unused(endings, asked.player, rules)
    steps = first_steps(asked.before, asked.player, asked.stage, rules)
    return {
        "n": len(results),
        "results": results if len(results) <= MOST_RESULTS else None,
        "sha256": sha256("\n".join(results).encode()).hexdigest(),
        "used": [min(used), max(used)],
        "unused": None if unused is None else list(unused),
        "first_steps": sorted({(step.source, step.target, step.number) for step in steps}),
        "stages": None if asked.throw is None else [list(group) for group in asked.throw.stages],
        "after": _find_follow_text(asked, unused),
        "illegal": [_list_broken_rules(asked, board) for board in boards],
    }


def _read_board(value: object, name: str) -> Setup:
    """Reads a position text, alone or as the first of a pair with the expected rule."""
    if isinstance(value, str):
        return read_setup(value, name)
    entries = fields.read_items(value, name)
    if not entries:
        raise fields.CaseError(f"field {name!r}: there is no position; give a position text")
    return read_setup(entries[0], name)


def _find_common_unused(endings: Endings, player: Player, rules: Ruleset) -> tuple[int, ...] | None:
    """The numbers that every legal play which does not end the game leaves unused; None if plays differ."""
    left = {unused for after, unused in endings if after.counts(player)[OFF] < rules.checkers}
    return left.pop() if len(left) == 1 else None


def _find_follow_text(asked: StageCase, unused: tuple[int, ...] | None) -> str | None:
    if asked.throw is None or unused is None:
        return None
    return str(find_follow(asked.throw, asked.index, unused, asked.rules))


def _list_broken_rules(asked: StageCase, board: Setup) -> list[str]:
    ruling = judge_stage(asked.before, asked.player, asked.stage, board, asked.rules, kind=asked.kind)
    return [rule.value for rule in ruling.rules] if isinstance(ruling, Illegal) else []


def answer_flow(case: fields.Case, house: Ruleset | None = None) -> dict[str, object]:
    """The stages; for a roll also whether it is a cascade, and what comes after the stage."""
    if "handed_over" in case:
        throw = make_transfer_throw(fields.read_required(case, "handed_over", read_numbers))
        return {"stages": _to_lists(throw.stages), "cascade": None, "after": None}
    rules = read_rules(case, house)
    counters = RollCounters(
        game=fields.read_required(case, "rolls_before_game", fields.WholeNumber(0, _MOST_ROLLS)),
        player=fields.read_required(case, "rolls_before_player", fields.WholeNumber(0, _MOST_ROLLS)),
    )
    throw = make_own_throw(fields.read_required(case, "roll", read_roll), rules, counters)
    index = fields.read_optional(case, "stage", fields.WholeNumber(0, len(throw.stages) - 1), 0)
    unused = fields.read_optional(case, "unused", read_unused_numbers, ())
    if Counter(unused) - Counter(throw.stages[index]):
        stage = list(throw.stages[index])
        raise fields.CaseError(
            f"field 'unused': {list(unused)} are not among the numbers {stage} of the stage; correct them"
        )
    follow = find_follow(throw, index, unused, rules)
    return {"stages": _to_lists(throw.stages), "cascade": throw.cascade, "after": str(follow)}


def _to_lists(stages: tuple[tuple[int, ...], ...]) -> list[list[int]]:
    return [list(stage) for stage in stages]
