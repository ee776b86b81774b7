"""Waiting for a throw: dice, an offered cube, and a board that has to stay as it is.

Games without dice: a turn ends by a button, the clock, or a change of the board that stays as it is.

What was changed and cannot be told is asked when it stays; and where a hand comes first, it may be the next player's, so
that nobody is accused of what stands there then.
"""

from dataclasses import replace

from controller.match.events import EndedBy, Evidence, PlayTakenBack
from controller.observing.board_evidence import BoardSeen
from controller.observing.observation import Observation
from controller.refereeing.debounce import calmed, is_time_to_look, suspected, suspected_since
from controller.refereeing.phases import cubes, restoring
from controller.refereeing.phases import roll_inference as inferring
from controller.refereeing.phases.judging import accepted, broken, not_watched, turn_ended, unclear
from controller.refereeing.phases.turn_end import dice_are_back
from controller.refereeing.state import NextThrow
from controller.refereeing.table import Table
from controller.refereeing.throw import rolling
from controller.refereeing.throw import throw_assembly as gathering
from controller.refereeing.transition import Course
from controller.refereeing.verdicts import Broken, Doubtful, Played, difference_now, verdict_on, verdict_on_told
from controller.rules.stages import FollowKind
from vision.dice.readings import CubePlace


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame in AWAIT_ROLL."""
    before = course.state.before_play
    if before is not None and not restoring.is_play_settled(course.state) and dice_are_back(course, seen):
        # the dice had only been hidden: the turn that was judged is not over
        taken_back = PlayTakenBack(course.now_ms, before.on_turn or course.mover, before.position)
        return course.told(taken_back).aware(was_blind=True)
    course, throw = gathering.gathered(course, seen, table)
    course, throw = inferring.looked_at_again(course, seen, throw, table)
    if throw is not None:
        return _thrown(course, seen, throw, table)
    if cubes.is_drawn_to(CubePlace.OFFERED, course, seen):
        return cubes.seen_offered(course, table)
    return restoring.compared(course, seen, table)


def _thrown(course: Course, seen: Observation, throw: NextThrow, table: Table) -> Course:
    """After a throw that nobody could read, or where one may have been missed, it is asked whether that was played."""
    state = course.state
    is_doubted = state.throw_unclear is not None or state.throw_refused is not None  # a die may have been overlooked
    may_be_played = is_doubted or not table.is_watched
    lay_before_play = table.is_watched and any(die.settled_ms <= state.seen.agreed_ms for die in throw.dice)
    if inferring.is_unread(course, throw) or not may_be_played or lay_before_play or seen.board is None:
        return rolling.taken(course, throw, table)
    agrees = restoring.agrees_beside_dice if table.is_watched else restoring.agrees
    if agrees(course, seen.board, table):
        return rolling.taken(course, throw, table)
    return inferring.overtaken(course, seen.board, throw, table)


def observed(course: Course, seen: Observation, table: Table) -> Course:
    """One frame of a turn without dice."""
    if seen.hand_in_view:
        is_in_doubt = suspected_since(course, Doubtful) is not None
        return calmed(course.aware(was_blind=True) if is_in_doubt else course)
    if seen.board is None or not is_time_to_look(course, seen, table):
        return course
    course = course.aware(looked_ms=course.now_ms)
    verdict = verdict_on(course.state, seen.board, table)
    match verdict:
        case Played():
            course, is_ripe = suspected(course.aware(acted=verdict.after), verdict.after, table.patience.still_ms)
            return accepted(turn_ended(course, EndedBy.STILL), verdict, table) if is_ripe else course
        case Broken() if not verdict.is_unchanged:
            first = _acted_by_both(course, seen.board, table)
            if first is not None:
                return accepted(turn_ended(course, EndedBy.STILL), first, table, evidence=Evidence.INFERRED)
            patience_ms = table.patience.still_ms + table.patience.illegal_ms
            course, is_ripe = suspected(course, verdict, patience_ms)
            if not is_ripe:
                return course
            was_blind, course = course.state.seen.was_blind, turn_ended(course, EndedBy.STILL)
            return not_watched(course, verdict) if was_blind else broken(course, verdict, table)
        case Doubtful() if table.is_watched and _is_changed(course, seen.board, table):
            course, is_ripe = suspected(course, Doubtful, table.patience.unclear_ms)
            return unclear(turn_ended(course, EndedBy.STILL), verdict) if is_ripe else course
        case _:
            return calmed(course.aware(acted=""))


def _acted_by_both(course: Course, board: BoardSeen, table: Table) -> Played | None:
    """The legal action that stood there before, if the other player's next one leads from it to what stands there now.

    He did not wait until the first one had stayed for long enough.
    """
    acted = course.state.seen.acted
    first = verdict_on_told(course.state, acted, table) if acted else None
    if not isinstance(first, Played) or first.follow == FollowKind.GAME_OVER.value:
        return None
    then = verdict_on(replace(course.state, position=first.after), board, table)
    return first if isinstance(then, Played) else None


def _is_changed(course: Course, board: BoardSeen, table: Table) -> bool:
    """Whether something is surely not as it was, whatever it is."""
    found = difference_now(course.state, board, table)
    return bool(found.extra or found.missing)
