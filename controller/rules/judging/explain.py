"""The sentences for breaches: which checker, which number, and why.

The step at fault is the first step of the path without the waived rule that the full rules do not allow.
"""

from controller.rules.judging.query import PathQuery, TurnPath
from controller.rules.notation import play_text
from controller.rules.plays.legal_plays import Play, legal_plays
from controller.rules.plays.legal_steps import steps_from
from controller.rules.plays.make_field import make_field
from controller.rules.ruleset import HomeHit
from controller.rules.rulings import NO_RULES, Rule
from controller.rules.steps import Step


def explain_breach(rule: Rule, query: PathQuery, path: TurnPath | None) -> str:
    """The sentence for a breach; `path` is how the board is reached without the rule."""
    if rule in DUTIES:
        return _explain_duty(rule, query)
    step = None if path is None else _find_step_at_fault(query, path)
    return (
        _GENERAL[rule].format(limit=_describe_limit(rule, query)) if step is None else _explain_step(rule, query, step)
    )


def explain_numbers(query: PathQuery, *, fits_another_throw: bool) -> str:
    """The sentence for numbers that do not lead to the board."""
    sentence = f"No legal play with {_format_numbers(query)} leads to this board"
    return f"{sentence}; with another throw it would be legal." if fits_another_throw else f"{sentence}."


DUTIES = frozenset({Rule.MUST_PLAY_MORE, Rule.MUST_PLAY_ONE, Rule.LARGER_DIE, Rule.UNBLOCK})

_GENERAL = {
    Rule.BAR_FIRST: "A checker on the bar must enter before any other one moves.",
    Rule.HEAD: "Only {limit} may leave the head in one roll.",
    Rule.HEAD_EXCEPTION: "A second checker may leave the head only when the first roll allows it, and this one does not.",
    Rule.PRIME: "Six points in a row are held with none of the opponent's checkers ahead of them.",
    Rule.PRIME_IN_PASSING: "On the way six points in a row were held with none of the opponent's checkers ahead of them.",
    Rule.HOME_HIT: "A checker that hit in its own home is held for the rest of the turn.",
    Rule.PAIR: "A checker that joined the hitter in this turn may not be borne off in it either.",
    Rule.FORCED_BEAROFF: "A checker that can be borne off must be, before anything else moves.",
    Rule.MAX_STACK: "No more than {limit} checkers may stand on a point.",
    Rule.FIRST_CHECKER: "No second checker may leave the head before the first one has passed the opponent's start.",
    Rule.START_QUARTER: "No more than {limit} points of the start quarter (19 to 24) may be held.",
    Rule.CLOSED_POINT: "A checker landed on a point that the opponent holds.",
    Rule.BEAROFF_EARLY: "A checker was borne off before all were home, or with a number that a higher checker must use.",
}


_OF_STEP = {
    Rule.BAR_FIRST: "was played while a checker waited on the bar; the bar enters first.",
    Rule.HEAD: "took one checker too many from the head. {general}",
    Rule.HEAD_EXCEPTION: "took one checker too many from the head. {general}",
    Rule.PRIME: "made six points in a row with none of the opponent's checkers ahead of them.",
    Rule.PRIME_IN_PASSING: "made, on the way, six points in a row with none of the opponent's checkers ahead.",
    Rule.HOME_HIT: "moved the checker that had just hit in its own home. {home_hit}",
    Rule.FORCED_BEAROFF: "was played although a checker could be borne off, which comes first.",
    Rule.MAX_STACK: "put a checker on point {target}, which was full: {limit} is the limit.",
    Rule.CLOSED_POINT: "landed on point {target}, which the opponent holds.",
    Rule.BEAROFF_EARLY: "came too early: all checkers must be home, and a larger number takes the highest one.",
    Rule.FIRST_CHECKER: "moved a second checker from the head before the first had passed the opponent's start.",
    Rule.START_QUARTER: "would hold more than {limit} points of the start quarter (19 to 24).",
}


def _explain_step(rule: Rule, query: PathQuery, step: Step) -> str:
    limit = _describe_limit(rule, query)
    general, home_hit = _GENERAL[rule].format(limit=limit), _HOME_HIT.get(query.rules.home_hit, "")
    fault = _OF_STEP.get(rule, "is refused. {general}")
    reason = fault.format(general=general, home_hit=home_hit, limit=limit, target=step.target)
    return f"{play_text([step])} with the {step.number} {reason}"


_HOME_HIT = {
    HomeHit.NO_RUN: "It must stay there until the next turn.",
    HomeHit.NO_BEAROFF: "It may move on inside the home, but not be borne off in this turn.",
    HomeHit.NO_HIDE: "It may not step onto another own checker, and is borne off only if nothing else uses the number.",
}


def _describe_limit(rule: Rule, query: PathQuery) -> str:
    limits = {
        Rule.HEAD: query.rules.head_limit,
        Rule.MAX_STACK: query.rules.max_stack,
        Rule.START_QUARTER: query.rules.start_quarter_max,
    }
    limit = limits.get(rule)
    return {None: "", 1: "one checker" if rule is Rule.HEAD else "1"}.get(limit, str(limit))


def _explain_duty(rule: Rule, query: PathQuery) -> str:
    play = _find_legal_play(query)
    example = "" if play is None else f", for example {play_text(play.steps)}"
    match rule:
        case Rule.MUST_PLAY_ONE:
            return f"At least one number must be played{example}."
        case Rule.LARGER_DIE:
            larger = max(query.line[-1].numbers)
            return f"Only one of the two numbers can be played, so it must be the {larger}{example}."
        case Rule.UNBLOCK:
            return f"The six points in front of the opponent's whole army must be opened{example}."
        case _:
            return f"More of the numbers {_format_numbers(query)} can be played{example}."


def _find_legal_play(query: PathQuery) -> Play | None:
    """A legal play as an example; None for a turn of several stages, where a single play is no example."""
    if len(query.line) > 1:
        return None
    plays = legal_plays(query.before, query.mover, query.line[0].make_stage(0), query.rules)
    return plays[0] if plays[0].steps else None


def _format_numbers(query: PathQuery) -> str:
    """The numbers of the turn, throw by throw."""
    throws = dict.fromkeys(turn_stage.throw for turn_stage in query.line)
    words = ["-".join(str(number) for stage in throw.stages for number in stage) for throw in throws]
    return " and ".join(words)


def _find_step_at_fault(query: PathQuery, path: TurnPath) -> Step | None:
    """The first step that is legal only without the waived rules; None if no single step is at fault."""
    stage = query.line[0].make_stage(0)
    strict = make_field(query.before, query.mover, stage, query.rules, NO_RULES)
    state, occ = strict.start, strict.start_occ
    numbers = [number for turn_stage in query.line for number in turn_stage.numbers]
    for step in path.steps:
        numbers.remove(step.number)
        allowed = {one: rest for one, *rest in steps_from(strict, state, occ, step.number, numbers)}
        if step not in allowed:
            return step
        state, occ = allowed[step]
    return None
