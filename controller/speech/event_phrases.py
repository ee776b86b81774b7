"""Events as phrases of the language packs: the sentences of `wording/ruling_text.py` by key and values."""

from collections.abc import Mapping

from controller.match import PROFILES, CubeAct, EndedBy, Evidence, RefereeEvent, Remark, Seating, SetUpFault, events
from controller.rules import NAMES, Player, Rule
from controller.speech.phrases import (
    Phrase,
    PhraseList,
    PhraseValue,
    PlaceNames,
    PlayerName,
    PlayNotations,
    RollNumbers,
    Sentence,
    Verbatim,
    phrase,
)
from controller.speech.rule_sentences import parse_rule_sentences
from controller.wording.remark_text import comment_lines, format_candidates, format_equity

Phrases = tuple[Sentence, ...]
_CUBE = {
    CubeAct.OFFERED: "event.cube.offered",
    CubeAct.TAKEN: "event.cube.taken",
    CubeAct.DROPPED: "event.cube.dropped",
    CubeAct.BEAVERED: "event.cube.beavered",
    CubeAct.DOUBLED_BY_EQUAL_DICE: "event.cube.equal-dice",
}


_BOARD_TAKEN = {Evidence.SEEN: "event.board-seen", Evidence.INFERRED: "event.turn-not-seen"}
_FIXED: dict[type, str] = {
    events.RollAccepted: "event.accepted",
    events.AnswerTakenBack: "event.answer-taken-back",
    events.BoardAgrees: "event.agrees",
    events.SightClear: "event.sight-clear",
    events.MatchPaused: "doing.paused",
    events.CameraBack: "event.camera-back",
    events.LightsBack: "event.lights-back",
    events.StorageBack: "event.saving",
}
_OF_PLAYER: dict[type, str] = {
    events.StarterKnown: "event.starts",
    events.PassForced: "event.pass",
    events.PlayCorrected: "event.corrected",
    events.PlayTakenBack: "event.taken-back",
    events.TurnGoesOn: "event.goes-on",
    events.TimeRanOut: "event.time-over",
    events.MatchWon: "doing.match-won",
}


def phrase_event(event: RefereeEvent) -> Phrases:
    """Whole sentences; empty for events that need no announcement."""
    kind = type(event)
    if kind in _FIXED:
        return (phrase(_FIXED[kind]),)
    player = getattr(event, "player", None)
    if kind in _OF_PLAYER and player is not None:
        return (phrase(_OF_PLAYER[kind], name=PlayerName(player)),)
    return (
        _phrase_throw_event(event)
        or _phrase_play_event(event)
        or _phrase_game_event(event)
        or _phrase_table_event(event)
    )


def _phrase_throw_event(event: RefereeEvent) -> Phrases:
    match event:
        case events.OpeningThrown(player=None):
            return (phrase("event.opening.equal", number=event.white),)
        case events.OpeningThrown(player=Player() as starter):
            white, black = PlayerName(Player.WHITE), PlayerName(Player.BLACK)
            numbers = {"first": event.white, "second": event.black}
            return (phrase("event.opening", white=white, black=black, name=PlayerName(starter), **numbers),)
        case events.DiceRolled():
            early = (phrase("event.early"),) if event.opponent_may_refuse else ()
            return (phrase("event.throws", name=PlayerName(event.player), roll=RollNumbers(event.values)), *early)
        case events.ThrowRefused():
            return (phrase("throw.refused"), *(phrase(f"bad.{reason.value}") for reason in event.reasons))
        case events.ThrowUnclear():
            return (*(phrase(f"unclear.{one.value}") for one in event.unclear), phrase("event.throw-unclear"))
        case events.RollWithdrawn():
            return (phrase("event.withdrawn", roll=RollNumbers(event.values), name=PlayerName(event.player)),)
        case events.DieTurnedOver():
            return (phrase("event.turned-over", was=event.was, now=event.now),)
        case events.NumbersHandedOver():
            return (phrase("event.handed-over", name=PlayerName(event.player), roll=RollNumbers(event.numbers)),)
        case _:
            return ()


def _phrase_play_event(event: RefereeEvent) -> Phrases:
    match event:
        case events.PlayMade():
            return _phrase_play(event)
        case events.PlayRefused():
            illegal = _phrase_with_rules("event.illegal", event.player, event.rules)
            return (
                illegal,
                *parse_rule_sentences(event.sentences),
                *phrase_corrections(event.take_back, event.belongs, event.player),
            )
        case events.PlayUnclear():
            options = (phrase("event.options", plays=PlayNotations(event.options)),) if event.options else ()
            places = (phrase("event.doubtful", places=PlaceNames(event.places, event.player)),) if event.places else ()
            why = parse_rule_sentences((event.sentence,), event.player)
            return (phrase("event.unclear", name=PlayerName(event.player)), *why, *options, *places)
        case events.PlayCondoned():
            return (_phrase_with_rules("event.condoned", event.player, event.rules),)
        case events.TurnEnded() if event.by in (EndedBy.BUTTON, EndedBy.CLOCK):
            return (phrase(f"event.ended.{event.by.value}", name=PlayerName(event.player)),)
        case _:
            return ()


def _phrase_play(event: events.PlayMade) -> Phrases:
    play: PhraseValue = PlayNotations((event.play,)) if event.play else phrase("log.no-play")
    inferred = (phrase("event.inferred", places=PlaceNames(event.inferred, event.player)),) if event.inferred else ()
    key = "event.play.not-seen" if event.evidence is Evidence.INFERRED else "event.play"
    if not event.numbers:
        return (phrase(f"{key}.bare", name=PlayerName(event.player), play=play), *inferred)
    return (phrase(key, name=PlayerName(event.player), roll=RollNumbers(event.numbers), play=play), *inferred)


def phrase_margin(event: events.RefereeEvent) -> Phrases:
    """The play that comes next after the one that was ruled: a detail to read, not to be spoken."""
    if not isinstance(event, events.PlayMade) or not event.next_best:
        return ()
    return (phrase("event.next-best", play=PlayNotations((event.next_best,)), times=event.odds),)


def _phrase_with_rules(key: str, player: Player, rules: tuple[Rule, ...]) -> Phrase:
    if not rules:  # rulings of Grasshopper consist of sentences only
        return phrase(f"{key}.bare", name=PlayerName(player))
    return phrase(key, name=PlayerName(player), rules=PhraseList(tuple(phrase(f"rule.{rule.value}") for rule in rules)))


def phrase_corrections(extra: tuple[str, ...], missing: tuple[str, ...], player: Player | None = None) -> Phrases:
    """Which places have checkers too many, and which lack some."""
    parts = (("guide.extra", extra), ("guide.missing", missing))
    return tuple(phrase(key, places=PlaceNames(places, player)) for key, places in parts if places)


def _phrase_game_event(event: RefereeEvent) -> Phrases:
    match event:
        case events.MatchStarted():
            return _phrase_match_start(event)
        case events.GameStarted():
            game = phrase("event.game.crawford" if event.is_crawford else "event.game", number=event.number)
            return (game, phrase("event.on-turn", name=PlayerName(event.player))) if event.player else (game,)
        case events.CubeTurned():
            raised = event.raise_of_stake
            if event.player is None:  # nobody did it: the dice were equal
                return (phrase(_CUBE[CubeAct.DOUBLED_BY_EQUAL_DICE], value=raised.to),)
            return (phrase(_CUBE[event.act], was=raised.was, value=raised.to, name=PlayerName(event.player)),)
        case events.ResignationOffered():
            return (
                phrase("doing.resignation", name=PlayerName(event.player), kind=phrase(f"kind.{event.kind.value}")),
            )
        case events.ResignationAnswered():
            return (phrase("event.resignation.accepted" if event.is_accepted else "event.resignation.refused"),)
        case events.GameWon():
            return _phrase_game_win(event)
        case events.ResultConfirmed():
            score = phrase("event.score", white=event.white_score, black=event.black_score)
            return (phrase("event.confirmed", name=PlayerName(event.player)), score)
        case _:
            return ()


def _phrase_match_start(event: events.MatchStarted) -> Phrases:
    length = phrase("match.to", length=event.length) if event.length else phrase("match.money")
    started = phrase(
        "event.match",
        white=PlayerName(Player.WHITE),
        black=PlayerName(Player.BLACK),
        game=_make_name_value("game", event.game, NAMES),
        length=length,
        profile=_make_name_value("profile", event.profile, PROFILES),
        mode=phrase(f"mode.{event.mode.value}"),
    )
    if not (event.white_score or event.black_score):
        return (started,)
    return (started, phrase("event.score", white=event.white_score, black=event.black_score))


def _make_name_value(kind: str, name: str, known: Mapping[str, object]) -> PhraseValue:
    """A known name is translated; the name of a house variant stays."""
    return phrase(f"{kind}.{name}") if name in known else Verbatim(name)


def _phrase_game_win(event: events.GameWon) -> Phrases:
    score = phrase("event.score", white=event.white_score, black=event.black_score)
    if event.player is None:
        return (phrase("event.drawn"), score)
    won = phrase("event.won", name=PlayerName(event.player), kind=phrase(f"kind.{event.kind.value}"))
    return (won, phrase("event.points", points=event.points), score)


def _phrase_table_event(event: RefereeEvent) -> Phrases:
    match event:
        case events.SeatingKnown():
            return (phrase_seating("event.seating", event.seating),)
        case events.CommandRefused():
            # An empty reason is announced too.
            reasons = parse_rule_sentences((event.reason,)) or (Verbatim(event.reason),)
            return tuple(phrase("event.not-possible", reason=reason) for reason in reasons)
        case events.BoardCorrected():
            return (phrase(_BOARD_TAKEN.get(event.evidence, "event.board-entered")),)
        case events.BoardDiffers():
            return _phrase_difference(event)
        case events.SightHindered():
            return (phrase(f"event.hindered.{event.hindrance.value}"),)
        case events.SetUpUnclear():
            if event.is_seating_open:
                return (phrase("event.seating-open"),)
            return (phrase("event.set-up-unclear"), phrase("event.doubtful", places=PlaceNames(event.places)))
        case events.BoardMoved():
            return (phrase("event.moved", mm=round(event.moved_mm)),)
        case events.DisputeOpened():
            caller = () if event.player is None else (phrase("event.disputes", name=PlayerName(event.player)),)
            return (*caller, phrase("doing.dispute"))
        case events.DisputeSettled():
            return (phrase("event.settled.upheld" if event.is_upheld else "event.settled"),)
        case events.ModeChanged():
            mode = phrase("event.mode", mode=phrase(f"mode.{event.mode.value}"))
            return (mode, phrase("event.monitor")) if event.monitor_appointed else (mode,)
        case events.MatchResumed():
            return (phrase("event.restarted" if event.after_restart else "event.resumed"),)
        case events.CameraLost():
            return (phrase("event.camera-lost"), *_quote_verbatim(event.sentence))
        case events.LightsLost():
            return (phrase("event.lights-lost"), *_quote_verbatim(event.sentence))
        case events.RemarkMade():
            return phrase_remark(event.remark)
        case _:
            return ()


def _phrase_difference(event: events.BoardDiffers) -> Phrases:
    match event.fault:
        case SetUpFault.NO_CHECKERS:
            return (phrase("event.start.no_checkers"),)
        case SetUpFault.OTHER_GAME:
            games = PhraseList(tuple(phrase(f"game.{name}") for name in event.games if name in NAMES))
            return (phrase("event.start.other_game", games=games),)
        case SetUpFault.OTHER_SEATING:
            return (phrase("event.start.other_seating"), *phrase_corrections(event.extra, event.missing))
        case None:  # pragma: no branch - mypy sees that no other case is left
            return (phrase("event.differs"), *phrase_corrections(event.extra, event.missing))


def phrase_seating(key: str, seating: Seating) -> Phrase:
    return phrase(
        key,
        name=PlayerName(Player.WHITE),
        colour=phrase(f"colour.{seating.white_plays.value}"),
        edge=phrase(f"seating.{seating.edge.value}"),
        side=phrase(f"seating.mirrored.{'yes' if seating.mirrored else 'no'}"),
    )


def phrase_remark(remark: Remark) -> Phrases:
    """The comment as it was written, then what a program computed."""
    errors = {"cube": remark.cube_error, "answer": remark.answer_error, "play": remark.play_error}
    plays = (phrase("event.remark.plays", plays=format_candidates(remark.candidates)),) if remark.candidates else ()
    luck = () if remark.luck is None else (phrase("event.remark.luck", luck=format_equity(remark.luck)),)
    return (
        *_quote_verbatim(" ".join(comment_lines(remark))),
        *(phrase(f"event.remark.{of}", error=f"{error:.3f}") for of, error in errors.items() if error is not None),
        *plays,
        *luck,
        *((phrase("event.remark.source", program=remark.source),) if remark.source else ()),
    )


def _quote_verbatim(sentence: str) -> Phrases:
    return (Verbatim(sentence),) if sentence else ()
