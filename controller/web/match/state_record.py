"""A state as one JSON object: everything that the page draws, and nothing that a viewer may not be told."""

from collections.abc import Sequence
from dataclasses import dataclass

from controller.lights.state_lights import Topic, select_signs, select_topics
from controller.lights.vocabulary import LIGHT_STYLES, LightSign
from controller.match.seating import Seating
from controller.match_log.event_json import JsonValue
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import Due, Phase, RefereeState
from controller.rules import Player, ThrowKind, cube_rules
from controller.rules.grasshopper.game import GrasshopperRules
from controller.settings.build_match_config import title_of
from controller.speech.event_filter import may_speak
from controller.speech.event_phrases import phrase_event
from controller.speech.rule_sentences import parse_rule_sentences
from controller.web.match.alternatives import PlayOption
from controller.web.match.live_match import Snapshot
from controller.web.match.orders import list_available_orders
from controller.web.match.page_board import make_page_board, pip_counts, player_point_numbers
from controller.web.match.ruling_record import make_sentence_list
from controller.web.match.visibility import Viewer, mask_phase, may_see_phase, may_show_pips

Record = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """What the referee may be told with one tap: plays, or rolls, the likeliest first."""

    plays: tuple[PlayOption, ...] = ()
    rolls: tuple[tuple[int, int], ...] = ()


def make_state_record(newest: Snapshot, table: MatchConfig, viewer: Viewer, offered: AnswerOptions) -> Record:
    """Without the time, so that two equal objects mean that nothing has changed."""
    state = newest.state
    phase = mask_phase(state, table, viewer)
    seating = resolve_seating(state, table)
    return {
        "events": newest.n_events,
        "match": _match_record(state, table),
        "phase": phase.value,
        "is_saved": state.seen.storage_up,
        "on_turn": _letter(state.on_turn),
        "seating": _seating_record(state.seating, seating),
        "numbers": player_point_numbers(seating, table),
        "board": _board_record(state, table, seating, phase),
        "dice": _dice_record(state),
        "throw": _throw_record(state, table, viewer),
        "cube": _cube_record(state, table),
        "pips": _pip_counts_or_none(state, table),
        "clock": _clock_record(state),
        "resignation": _resignation_record(state),
        "lights": _light_records(newest, table),
        "guide": _guide_record(state, table, viewer),
        "question": _question_record(state, table, viewer, offered, seating=seating),
        "orders": list[JsonValue](list_available_orders(state, table)) if viewer is Viewer.OPERATOR else [],
    }


def resolve_seating(state: RefereeState, table: MatchConfig) -> Seating:
    """The usual one until it is known."""
    if state.seating is not None:
        return state.seating
    head = 12 if isinstance(table.rules, GrasshopperRules) else table.rules.white_head
    return table.seating or Seating(white_head=head)


def _match_record(state: RefereeState, table: MatchConfig) -> Record:
    white, black = state.match.score if state.started else (table.white_score, table.black_score)
    return {
        "game": table.game,
        "title": title_of(table.game),
        "mode": table.mode.value,
        "may_speak": may_speak(table),
        "profile": table.profile.title,
        "white": table.white,
        "black": table.black,
        "score": [white, black],
        "length": table.match.target,
        "number": state.game_number,
        "is_crawford": state.is_crawford,
        "winner": _letter(state.match_winner),
    }


def _seating_record(known: Seating | None, shown: Seating) -> Record:
    return {
        "is_known": known is not None,
        "white_plays": shown.white_plays.value,
        "edge": shown.edge.value,
        "mirrored": shown.mirrored,
    }


def _board_record(state: RefereeState, table: MatchConfig, seating: Seating, phase: Phase) -> Record | None:
    """What stands there as far as it was ruled; an illegal play is shown as it was made."""
    refused = state.refused.after if phase is Phase.ILLEGAL and state.refused is not None else ""
    shown = make_page_board(refused or state.position or table.start or table.start_text, seating, table)
    return None if shown is None else shown.to_record()


def _dice_record(state: RefereeState) -> Record | None:
    """What is being played."""
    if state.due is None or state.phase is Phase.AWAIT_ROLL:
        return None
    return _roll_record(state.due, state.on_turn)


def _roll_record(due: Due, player: Player | None) -> Record:
    is_handed_over = due.kind is ThrowKind.TRANSFER
    return {
        "player": _letter(player),
        "values": list[JsonValue](due.numbers),
        "is_handed_over": is_handed_over,
    }


def _throw_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> Record | None:
    """The last throw, if it does not count or could not be told."""
    if viewer is Viewer.SPECTATOR and Topic.THROW not in select_topics(table):
        return None
    if state.throw_refused is not None:
        refused = state.throw_refused
        sentences = list[JsonValue](reason.sentence for reason in refused.reasons)
        words = make_sentence_list(parse_rule_sentences(reason.sentence for reason in refused.reasons))
        return {"is_refused": True, "values": list[JsonValue](refused.values), "sentences": sentences, "said": words}
    if state.throw_unclear is not None:
        values = list[JsonValue](state.throw_unclear.values)
        return {"is_refused": False, "values": values, "sentences": [], "said": []}
    return None


def _cube_record(state: RefereeState, table: MatchConfig) -> Record | None:
    """None in games and matches without."""
    if isinstance(table.rules, GrasshopperRules):
        return None
    rules = cube_rules(table.rules, state.match, table.match)
    if not rules.use:
        return None
    return {
        "value": state.cube.value,
        "raised": rules.raise_by.raise_value(state.cube.value),
        "owner": _letter(state.cube.owner),
        "offered_by": _letter(state.cube.offer_by),
    }


def _pip_counts_or_none(state: RefereeState, table: MatchConfig) -> JsonValue:
    found = pip_counts(state.position or table.start or table.start_text) if may_show_pips(table) else None
    return None if found is None else list[JsonValue](found)


def _clock_record(state: RefereeState) -> Record | None:
    """As `clocks.py` keeps it, so that the page can count on by itself: `since_ms` is None while it stands."""
    clock = state.clock
    if clock is None:
        return None
    return {
        "banked_ms": [clock.banked.white_ms, clock.banked.black_ms],
        "turn": _letter(clock.turn),
        "delay": clock.rules.delay.value,
        "delay_ms": clock.rules.delay_ms,
        "used_ms": clock.used_ms,
        "since_ms": clock.since_ms,
    }


def _resignation_record(state: RefereeState) -> Record | None:
    offered = state.resignation
    return None if offered is None else {"player": offered.player.value, "kind": offered.kind.value}


def _light_records(newest: Snapshot, table: MatchConfig) -> list[JsonValue]:
    """What the strip shows now, by meaning; nobody is shown more than the strip shows everybody."""
    signs = select_signs(newest.state, table, newest.now_ms)
    return [
        {
            "meaning": sign.meaning.name.lower(),
            "colour": LIGHT_STYLES[sign.meaning].colour,
            "rhythm": LIGHT_STYLES[sign.meaning].rhythm.value,
            "places": [place.value for place in sign.places],
        }
        for sign in signs
        if not _is_over(sign, newest.now_ms)
    ]


def _is_over(sign: LightSign, now_ms: int) -> bool:
    """Whether it has been shown for as long as it is."""
    shown_ms = LIGHT_STYLES[sign.meaning].shown_ms
    return shown_ms is not None and now_ms - sign.since_ms >= shown_ms


def _guide_record(state: RefereeState, table: MatchConfig, viewer: Viewer) -> Record | None:
    """Where the checkers must go so that play can go on: places with too many, and with too few."""
    if not may_see_phase(state.phase, table, viewer):
        return None
    if state.phase is Phase.ILLEGAL and state.refused is not None:
        taken, belongs = state.refused.take_back, state.refused.belongs
    elif state.phase in (Phase.SET_UP, Phase.RESTORE) and state.differs is not None:
        taken, belongs = state.differs.extra, state.differs.missing
    else:
        return None
    return {"extra": list[JsonValue](taken), "missing": list[JsonValue](belongs)}


def _question_record(
    state: RefereeState, table: MatchConfig, viewer: Viewer, offered: AnswerOptions, *, seating: Seating
) -> Record | None:
    """What somebody has to say."""
    if state.phase is Phase.UNSURE and state.unclear is not None and may_see_phase(state.phase, table, viewer):
        return {
            "about": "play" if state.due is not None or table.is_grasshopper else "roll",
            "sentence": state.unclear.sentence,
            "said": make_sentence_list(parse_rule_sentences((state.unclear.sentence,), state.unclear.player)),
            "places": list[JsonValue](state.unclear.places),
            "plays": [_play_option_record(option, table, seating) for option in offered.plays],
            "rolls": [list[JsonValue](values) for values in offered.rolls],
        }
    if state.throw_unclear is not None and state.phase in (Phase.OPENING, Phase.AWAIT_ROLL):
        rolls = [list[JsonValue](values) for values in offered.rolls]
        return _make_question("opening" if state.phase is Phase.OPENING else "roll", rolls=rolls)
    unclear = state.set_up_unclear
    if (
        state.phase is Phase.SET_UP
        and unclear is not None
        and unclear.is_seating_open
        and may_see_phase(state.phase, table, viewer)
    ):
        return _make_question("seating", make_sentence_list(phrase_event(unclear)))
    return None


def _make_question(about: str, words: Sequence[JsonValue] = (), rolls: Sequence[JsonValue] = ()) -> Record:
    return {"about": about, "sentence": "", "said": [*words], "places": [], "plays": [], "rolls": [*rolls]}


def _play_option_record(option: PlayOption, table: MatchConfig, seating: Seating) -> Record:
    shown = make_page_board(option.after, seating, table)
    return {"play": option.play, "after": option.after, "board": None if shown is None else shown.to_record()}


def _letter(player: Player | None) -> str | None:
    return None if player is None else player.value
