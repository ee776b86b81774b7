"""Events as sentences of the language packs: what `ruling_text.py` says in English, by key and values."""

from collections.abc import Mapping

from controller.match import events as told
from controller.match.events import CubeAct, EndedBy, RefereeEvent
from controller.match.officiating import PROFILES
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

Phrases = tuple[Sentence, ...]
_CUBE = {
    CubeAct.OFFERED: "told.cube.offered",
    CubeAct.TAKEN: "told.cube.taken",
    CubeAct.DROPPED: "told.cube.dropped",
    CubeAct.BEAVERED: "told.cube.beavered",
    CubeAct.DOUBLED_BY_EQUAL_DICE: "told.cube.equal-dice",
}


def phrase_event(event: RefereeEvent) -> Phrases:
    """Whole sentences; none for what goes without saying."""
    return (
        _phrase_throw_event(event)
        or _phrase_play_event(event)
        or _phrase_game_event(event)
        or _phrase_table_event(event)
        or _phrase_link_event(event)
    )


def _phrase_throw_event(event: RefereeEvent) -> Phrases:
    match event:
        case told.OpeningThrown(player=None):
            return (phrase("told.opening.equal", number=event.white),)
        case told.OpeningThrown(player=Player() as starter):
            white, black = PlayerName(Player.WHITE), PlayerName(Player.BLACK)
            numbers = {"first": event.white, "second": event.black}
            return (phrase("told.opening", white=white, black=black, name=PlayerName(starter), **numbers),)
        case told.StarterKnown():
            return (phrase("told.starts", name=PlayerName(event.player)),)
        case told.DiceRolled():
            early = (phrase("told.early"),) if event.opponent_may_refuse else ()
            return (phrase("told.throws", name=PlayerName(event.player), roll=RollNumbers(event.values)), *early)
        case told.ThrowRefused():
            return (phrase("throw.refused"), *(phrase(f"bad.{reason.value}") for reason in event.reasons))
        case told.ThrowUnclear():
            return (*(phrase(f"unclear.{one.value}") for one in event.unclear), phrase("told.throw-unclear"))
        case told.RollWithdrawn():
            return (phrase("told.withdrawn", roll=RollNumbers(event.values), name=PlayerName(event.player)),)
        case told.RollAccepted():
            return (phrase("told.accepted"),)
        case told.DieTurnedOver():
            return (phrase("told.turned-over", was=event.was, now=event.now),)
        case told.NumbersHandedOver():
            return (phrase("told.handed-over", name=PlayerName(event.player), roll=RollNumbers(event.numbers)),)
        case told.PassForced():
            return (phrase("told.pass", name=PlayerName(event.player)),)
        case _:
            return ()


def _phrase_play_event(event: RefereeEvent) -> Phrases:
    match event:
        case told.PlayMade():
            return _phrase_play(event)
        case told.PlayRefused():
            illegal = _phrase_with_rules("told.illegal", event.player, event.rules)
            return (
                illegal,
                *parse_rule_sentences(event.sentences),
                *_phrase_corrections(event.take_back, event.belongs, event.player),
            )
        case told.PlayUnclear():
            options = (phrase("told.options", plays=PlayNotations(event.options)),) if event.options else ()
            places = (phrase("told.doubtful", places=PlaceNames(event.places, event.player)),) if event.places else ()
            why = parse_rule_sentences((event.sentence,), event.player)
            return (phrase("told.unclear", name=PlayerName(event.player)), *why, *options, *places)
        case told.PlayCorrected():
            return (phrase("told.corrected", name=PlayerName(event.player)),)
        case told.PlayCondoned():
            return (_phrase_with_rules("told.condoned", event.player, event.rules),)
        case told.PlayTakenBack():
            return (phrase("told.taken-back", name=PlayerName(event.player)),)
        case told.TurnEnded() if event.by in (EndedBy.BUTTON, EndedBy.CLOCK):
            return (phrase(f"told.ended.{event.by.value}", name=PlayerName(event.player)),)
        case told.TurnGoesOn():
            return (phrase("told.goes-on", name=PlayerName(event.player)),)
        case _:
            return ()


def _phrase_play(event: told.PlayMade) -> Phrases:
    play: PhraseValue = PlayNotations((event.play,)) if event.play else phrase("log.no-play")
    inferred = (phrase("told.inferred", places=PlaceNames(event.inferred, event.player)),) if event.inferred else ()
    if not event.numbers:
        return (phrase("told.play.bare", name=PlayerName(event.player), play=play), *inferred)
    return (phrase("told.play", name=PlayerName(event.player), roll=RollNumbers(event.numbers), play=play), *inferred)


def _phrase_with_rules(key: str, player: Player, rules: tuple[Rule, ...]) -> Phrase:
    if not rules:  # Grasshopper's are told by their sentences alone
        return phrase(f"{key}.bare", name=PlayerName(player))
    return phrase(key, name=PlayerName(player), rules=PhraseList(tuple(phrase(f"rule.{rule.value}") for rule in rules)))


def _phrase_corrections(extra: tuple[str, ...], missing: tuple[str, ...], player: Player | None = None) -> Phrases:
    parts = (("guide.extra", extra), ("guide.missing", missing))
    return tuple(phrase(key, places=PlaceNames(places, player)) for key, places in parts if places)


def _phrase_game_event(event: RefereeEvent) -> Phrases:
    match event:
        case told.MatchStarted():
            return _phrase_match_start(event)
        case told.GameStarted():
            game = phrase("told.game.crawford" if event.is_crawford else "told.game", number=event.number)
            return (game, phrase("told.on-turn", name=PlayerName(event.player))) if event.player else (game,)
        case told.CubeTurned():
            name: dict[str, PhraseValue] = {"name": PlayerName(event.player)} if event.player else {}
            return (phrase(_CUBE[event.act], value=event.value, **name),)
        case told.ResignationOffered():
            return (
                phrase("doing.resignation", name=PlayerName(event.player), kind=phrase(f"kind.{event.kind.value}")),
            )
        case told.ResignationAnswered():
            return (phrase("told.resignation.accepted" if event.is_accepted else "told.resignation.refused"),)
        case told.GameWon():
            return _phrase_game_win(event)
        case told.TimeRanOut():
            return (phrase("told.time-over", name=PlayerName(event.player)),)
        case told.MatchWon():
            return (phrase("doing.match-won", name=PlayerName(event.player)),)
        case _:
            return ()


def _phrase_match_start(event: told.MatchStarted) -> Phrases:
    length = phrase("match.to", length=event.length) if event.length else phrase("match.money")
    started = phrase(
        "told.match",
        white=PlayerName(Player.WHITE),
        black=PlayerName(Player.BLACK),
        game=_make_name_value("game", event.game, NAMES),
        length=length,
        profile=_make_name_value("profile", event.profile, PROFILES),
        mode=phrase(f"mode.{event.mode.value}"),
    )
    if not (event.white_score or event.black_score):
        return (started,)
    return (started, phrase("told.score", white=event.white_score, black=event.black_score))


def _make_name_value(kind: str, name: str, known: Mapping[str, object]) -> PhraseValue:
    """A house variant has the name that its author gave it."""
    return phrase(f"{kind}.{name}") if name in known else Verbatim(name)


def _phrase_game_win(event: told.GameWon) -> Phrases:
    score = phrase("told.score", white=event.white_score, black=event.black_score)
    if event.player is None:
        return (phrase("told.drawn"), score)
    won = phrase("told.won", name=PlayerName(event.player), kind=phrase(f"kind.{event.kind.value}"))
    return (won, phrase("told.points", points=event.points), score)


def _phrase_table_event(event: RefereeEvent) -> Phrases:
    match event:
        case told.SeatingKnown():
            return (_phrase_seating(event),)
        case told.CommandRefused():
            reasons = parse_rule_sentences((event.reason,)) or (
                Verbatim(event.reason),
            )  # told, even if nobody says why
            return tuple(phrase("told.not-possible", reason=reason) for reason in reasons)
        case told.BoardDiffers():
            return (phrase("told.differs"), *_phrase_corrections(event.extra, event.missing))
        case told.SetUpUnclear():
            if event.is_seating_open:
                return (phrase("told.seating-open"),)
            return (phrase("told.set-up-unclear"), phrase("told.doubtful", places=PlaceNames(event.places)))
        case told.BoardAgrees():
            return (phrase("told.agrees"),)
        case told.BoardCorrected():
            return (phrase("told.board-told"),)
        case told.BoardMoved():
            return (phrase("told.moved", mm=round(event.moved_mm)),)
        case told.ModeChanged():
            mode = phrase("told.mode", mode=phrase(f"mode.{event.mode.value}"))
            return (mode, phrase("told.monitor")) if event.monitor_appointed else (mode,)
        case told.DisputeOpened():
            return (phrase("doing.dispute"),)
        case told.DisputeSettled():
            return (phrase("told.settled"),)
        case told.MatchPaused():
            return (phrase("doing.paused"),)
        case told.MatchResumed():
            return (phrase("told.restarted" if event.after_restart else "told.resumed"),)
        case _:
            return ()


def _phrase_seating(event: told.SeatingKnown) -> Phrase:
    seating = event.seating
    return phrase(
        "told.seating",
        name=PlayerName(Player.WHITE),
        colour=phrase(f"colour.{seating.white_plays.value}"),
        edge=phrase(f"seating.{seating.edge.value}"),
        side=phrase(f"seating.mirrored.{'yes' if seating.mirrored else 'no'}"),
    )


def _phrase_link_event(event: RefereeEvent) -> Phrases:
    match event:
        case told.CameraLost():
            return (phrase("told.camera-lost"), *_quote_verbatim(event.sentence))
        case told.CameraBack():
            return (phrase("told.camera-back"),)
        case told.LightsLost():
            return (phrase("told.lights-lost"), *_quote_verbatim(event.sentence))
        case told.LightsBack():
            return (phrase("told.lights-back"),)
        case told.StorageBack():
            return (phrase("told.saving"),)
        case _:
            return ()


def _quote_verbatim(sentence: str) -> Phrases:
    return (Verbatim(sentence),) if sentence else ()
