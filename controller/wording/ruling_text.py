"""Rulings in words: one English line for each event that concerns people, for the terminal and the page.

`speech/event_phrases.py` has the same sentences as keys of the language packs.
"""

from collections.abc import Iterable

from controller.match import (
    FORM,
    CubeAct,
    EndedBy,
    Evidence,
    Hindrance,
    RefereeEvent,
    SetUpFault,
    events,
    seating_text,
)
from controller.rules import Player, ResultKind, Unclear
from controller.wording.remark_text import remark_lines

WINS = {
    ResultKind.SINGLE: "a single game",
    ResultKind.MARS: "a gammon (mars)",
    ResultKind.KOKS: "a backgammon (koks)",
    ResultKind.HOME_MARS: "a home mars",
    ResultKind.KOKS_UNMOVED: "a koks (a checker never left its start)",
    ResultKind.MOTHER: "by pinning the mother checker",
    ResultKind.DRAW: "nothing: the game is drawn",
}
# Each completes "not clear: ".
UNCLEAR_TEXTS = {
    Unclear.MOVING: "a die still moves, or a hand is over the board",
    Unclear.LIE: "how a die lies",
    Unclear.HALF: "whether a die lies in the half it must lie in",
    Unclear.VALUE: "what a die shows",
    Unclear.OWNER: "whose die is whose",
    Unclear.TOGETHER: "whether the dice were thrown at the same time",
    Unclear.LIFTED: "whether the opponent had lifted his dice",
    Unclear.EXTRA_DIE: "whether there is a die too many",
}
_ENDED_BY = {
    EndedBy.DICE_LIFTED: "lifted the dice",
    EndedBy.BUTTON: "ended the turn",
    EndedBy.CLOCK: "pressed the clock",
    EndedBy.NEXT_THROW: "is done: the next throw lies there",
    EndedBy.STILL: "is done: the board stays as it is",
}


_BOARD_TAKEN = {
    Evidence.SEEN: "What was played is not known; the game goes on from the board as it is seen.",
    Evidence.INFERRED: "A turn was not seen; the other player goes on.",
}
HINDRANCE_TEXTS = {
    Hindrance.TOO_DARK: "It is too dark to read the board; light it.",
    Hindrance.TOO_BRIGHT: "The picture is too bright to read; dim the light, or let the camera expose for a shorter time.",
    Hindrance.BLURRED: "The picture is blurred; focus the camera on the board and wipe its lens.",
    Hindrance.NO_BOARD: "The camera does not show the board; turn it towards the board, or calibrate again.",
    Hindrance.ONE_COLOUR: "The light has one colour only; light the board with white light.",
    Hindrance.BANDED: "Dark bands lie across the picture; take another lamp, or let the camera expose for longer.",
    Hindrance.HAZY: "Haze or a reflection hides a part of the board; wipe the lens, or move the lamp.",
    Hindrance.COVERED: "A hand or something else covers the board; take it away.",
    Hindrance.MOVING: "Nothing on the board comes to rest; fix the camera, and keep hands off the board.",
}
_FIXED: dict[type, str] = {
    events.SightClear: "The board can be seen again.",
    events.RollAccepted: "The early roll stands.",
    events.AnswerTakenBack: "The answer is taken back; it is asked again.",
    events.BoardAgrees: "The board is as it should be.",
    events.CameraBack: "The camera is back.",
    events.LightsBack: "The lights are back.",
    events.StorageBack: "Saving works again; what happened in between was not refereed.",
    events.MatchPaused: "Paused.",
}


def ruling_text(event: RefereeEvent, names: dict[Player, str]) -> str:
    """One line; empty for events that need no announcement."""
    return (
        _FIXED.get(type(event))
        or _describe_throw_event(event, names)
        or _describe_play_event(event, names)
        or _describe_game_event(event, names)
        or _describe_dispute(event, names)
        or _describe_table_event(event)
    )


def _describe_throw_event(event: RefereeEvent, names: dict[Player, str]) -> str:
    match event:
        case events.OpeningThrown(player=None):
            return f"Opening throw: {event.white} each; both throw again."
        case events.OpeningThrown(player=Player() as starter):
            numbers = f"{names[Player.WHITE]} {event.white}, {names[Player.BLACK]} {event.black}"
            return f"Opening throw: {numbers}; {names[starter]} starts."
        case events.StarterKnown():
            return f"{names[event.player]} starts."
        case events.DiceRolled():
            early = " It came early; the opponent may refuse it." if event.opponent_may_refuse else ""
            return f"{names[event.player]} throws {_join_numbers(event.values)}.{early}"
        case events.ThrowRefused():
            return " ".join(["The throw does not count.", *(reason.sentence for reason in event.reasons)])
        case events.ThrowUnclear():
            why = "; ".join(UNCLEAR_TEXTS[one] for one in event.unclear)
            return f"I am not sure of the throw; not clear: {why}. Say what it is, or throw again."
        case events.RollWithdrawn():
            return f"The roll {_join_numbers(event.values)} does not count; {names[event.player]} throws again."
        case events.DieTurnedOver():
            return f"A die that was {event.was} now shows {event.now}. The roll stays; please look."
        case events.NumbersHandedOver():
            return f"{names[event.player]} plays {_join_numbers(event.numbers)}, handed over."
        case events.PassForced():
            return f"{names[event.player]} has no legal play and passes."
        case _:
            return ""


def _describe_play_event(event: RefereeEvent, names: dict[Player, str]) -> str:
    match event:
        case events.PlayMade():
            inferred = f" (not seen but inferred: {', '.join(event.inferred)})" if event.inferred else ""
            numbers = f" {_join_numbers(event.numbers)}:" if event.numbers else ""
            ruling = "Not seen; it explains the board." if event.evidence is Evidence.INFERRED else "Legal."
            return (
                f"{names[event.player]}{numbers} {event.play or 'no play'}. {ruling}{inferred}{_describe_margin(event)}"
            )
        case events.PlayRefused():
            rules = ", ".join(rule.value for rule in event.rules)
            where = f" Take back: {', '.join(event.take_back)}." if event.take_back else ""
            there = f" Put them on: {', '.join(event.belongs)}." if event.belongs else ""
            sentences = " ".join(event.sentences)
            return f"Illegal play by {names[event.player]} ({rules}). {sentences}{where}{there}".rstrip()
        case events.PlayUnclear():
            options = f" It may have been {' or '.join(event.options)}." if event.options else ""
            places = f" Doubtful: {', '.join(event.places)}." if event.places else ""
            return f"I am not sure what {names[event.player]} played. {event.sentence}{options}{places}"
        case events.PlayCorrected():
            return f"{names[event.player]} took the illegal play back."
        case events.PlayCondoned():
            rules = ", ".join(rule.value for rule in event.rules)
            return f"The illegal play ({rules}) of {names[event.player]} stands: {event.clause}."
        case events.PlayTakenBack():
            return f"The play is taken back; {names[event.player]} plays again."
        case events.TurnEnded() if event.by in (EndedBy.BUTTON, EndedBy.CLOCK):
            return f"{names[event.player]} {_ENDED_BY[event.by]}."
        case events.TurnGoesOn():
            return f"The turn of {names[event.player]} goes on."
        case _:
            return ""


def _describe_margin(event: events.PlayMade) -> str:
    if not event.next_best:
        return ""
    return f" Next best: {event.next_best}, {event.odds} times less likely."


def _describe_game_event(event: RefereeEvent, names: dict[Player, str]) -> str:
    match event:
        case events.MatchStarted():
            length = f"match to {event.length}" if event.length else "money games"
            score = f", {event.white_score}-{event.black_score}" if event.white_score or event.black_score else ""
            sides = " and ".join(
                name if name == colour else f"{name} ({colour})"
                for name, colour in ((event.white, "White"), (event.black, "Black"))
            )
            return f"{sides} play {event.game}, {length}{score}; profile {event.profile}, mode {event.mode.value}."
        case events.GameStarted():
            crawford = " (Crawford)" if event.is_crawford else ""
            to_play = f" {names[event.player]} is on turn." if event.player else ""
            return f"Game {event.number}{crawford} begins.{to_play}"
        case events.CubeTurned():
            return _cube_text(event, names)
        case events.ResignationOffered():
            return f"{names[event.player]} resigns {WINS[event.kind]}."
        case events.ResignationAnswered():
            return "The resignation is accepted." if event.is_accepted else "The resignation is refused; play on."
        case events.GameWon(player=None):
            return f"The game is drawn. Score {event.white_score}-{event.black_score}."
        case events.GameWon(player=Player() as winner):
            points = f"{event.points} point{'' if event.points == 1 else 's'}"
            score = f"{event.white_score}-{event.black_score}"
            return f"{names[winner]} wins {WINS[event.kind]}, {points}. Score {score}."
        case events.TimeRanOut():
            return f"The time of {names[event.player]} is over: the match is lost."
        case events.MatchWon():
            return f"{names[event.player]} wins the match."
        case events.ResultConfirmed():
            return f"{names[event.player]} confirms the score {event.white_score}-{event.black_score}."
        case _:
            return ""


def _describe_dispute(event: RefereeEvent, names: dict[Player, str]) -> str:
    if not isinstance(event, events.DisputeOpened):
        return ""
    caller = "" if event.player is None else f" of {names[event.player]}"
    return f"Dispute{caller}: the game stands still until it is settled."


def _describe_table_event(event: RefereeEvent) -> str:
    match event:
        case events.SeatingKnown():
            return f"Seating ({event.evidence.value}): {seating_text(event.seating)}."
        case events.CommandRefused():
            return f"Not possible: {event.reason}"
        case events.BoardCorrected():
            return _BOARD_TAKEN.get(event.evidence, "The board is taken as entered.")
        case events.BoardDiffers():
            return _describe_difference(event)
        case events.SightHindered():
            return HINDRANCE_TEXTS[event.hindrance]
        case events.SetUpUnclear(is_seating_open=True):
            return f"The checkers fit several ways to sit; say who sits where: seating {FORM}."
        case events.SetUpUnclear():
            return f"It cannot be seen whether all is set up; show {', '.join(event.places)} without anything above."
        case events.BoardMoved():
            return f"The board or the camera moved by {event.moved_mm:.0f} mm; put it back, or calibrate anew."
        case events.CameraLost():
            return f"The camera is lost. {event.sentence}".rstrip()
        case events.LightsLost():
            return f"The lights are lost. {event.sentence}".rstrip()
        case events.MatchResumed():
            return "The match goes on after a restart." if event.after_restart else "The match goes on."
        case events.RemarkMade():
            return " ".join(remark_lines(event.remark))
        case events.DisputeSettled():
            return f"The dispute is settled{'; it was justified' if event.is_upheld else ''}."
        case events.ModeChanged():
            appointed = ", with an appointed monitor" if event.monitor_appointed else ""
            return f"The mode is {event.mode.value} from now on{appointed}."
        case _:
            return ""


def _describe_difference(event: events.BoardDiffers) -> str:
    extra = f" Too many on {', '.join(event.extra)}." if event.extra else ""
    missing = f" Missing on {', '.join(event.missing)}." if event.missing else ""
    match event.fault:
        case SetUpFault.NO_CHECKERS:
            return "No checkers stand on the board; set them up."
        case SetUpFault.OTHER_GAME:
            return (
                f"The checkers stand as another game begins ({', '.join(event.games)}); set them up for the game that is "
                "played, or choose that game."
            )
        case SetUpFault.OTHER_SEATING:
            return (
                f"The checkers stand for other seats than agreed; say who sits where: seating {FORM}.{extra}{missing}"
            )
        case None:  # pragma: no branch - mypy sees that no other case is left
            return f"The board is not as it should be; put it right.{extra}{missing}"


def _cube_text(event: events.CubeTurned, names: dict[Player, str]) -> str:
    name, raised = names[event.player] if event.player else "", event.raise_of_stake
    match event.act:
        case CubeAct.OFFERED:
            return f"{name} doubles from {raised.was} to {raised.to}."
        case CubeAct.TAKEN:
            return f"{name} takes; the cube is at {raised.to}."
        case CubeAct.DROPPED:
            return f"{name} drops."
        case CubeAct.BEAVERED:
            return f"{name} beavers, from {raised.was} to {raised.to}."
        case CubeAct.DOUBLED_BY_EQUAL_DICE:
            return f"Equal dice: the cube is at {raised.to}."


def _join_numbers(numbers: Iterable[int]) -> str:
    return "-".join(map(str, numbers))
