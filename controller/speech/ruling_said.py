"""Events as sentences of the language packs: what `ruling_text.py` says in English, by key and values."""

from collections.abc import Mapping

from controller.match import events as told
from controller.match.events import CubeAct, EndedBy, RefereeEvent
from controller.match.officiating import PROFILES
from controller.rules.breach import Rule
from controller.rules.names import NAMES
from controller.rules.player import Player
from controller.speech.rule_sentences import sentences_said
from controller.speech.said import Listed, Named, Places, Plain, Plays, Roll, Said, Sentence, Value, said

Told = tuple[Sentence, ...]
_CUBE = {
    CubeAct.OFFERED: "told.cube.offered",
    CubeAct.TAKEN: "told.cube.taken",
    CubeAct.DROPPED: "told.cube.dropped",
    CubeAct.BEAVERED: "told.cube.beavered",
    CubeAct.DOUBLED_BY_EQUAL_DICE: "told.cube.equal-dice",
}


def ruling_said(event: RefereeEvent) -> Told:
    """Whole sentences; none for what goes without saying."""
    return _of_throws(event) or _of_plays(event) or _of_games(event) or _of_the_table(event) or _of_links(event)


def _of_throws(event: RefereeEvent) -> Told:
    match event:
        case told.OpeningThrown(player=None):
            return (said("told.opening.equal", number=event.white),)
        case told.OpeningThrown(player=Player() as starter):
            white, black = Named(Player.WHITE), Named(Player.BLACK)
            numbers = {"first": event.white, "second": event.black}
            return (said("told.opening", white=white, black=black, name=Named(starter), **numbers),)
        case told.StarterKnown():
            return (said("told.starts", name=Named(event.player)),)
        case told.DiceRolled():
            early = (said("told.early"),) if event.opponent_may_refuse else ()
            return (said("told.throws", name=Named(event.player), roll=Roll(event.values)), *early)
        case told.ThrowRefused():
            return (said("throw.refused"), *(said(f"bad.{reason.value}") for reason in event.reasons))
        case told.ThrowUnclear():
            return (*(said(f"unclear.{one.value}") for one in event.unclear), said("told.throw-unclear"))
        case told.RollWithdrawn():
            return (said("told.withdrawn", roll=Roll(event.values), name=Named(event.player)),)
        case told.RollAccepted():
            return (said("told.accepted"),)
        case told.DieTurnedOver():
            return (said("told.turned-over", was=event.was, now=event.now),)
        case told.NumbersHandedOver():
            return (said("told.handed-over", name=Named(event.player), roll=Roll(event.numbers)),)
        case told.PassForced():
            return (said("told.pass", name=Named(event.player)),)
        case _:
            return ()


def _of_plays(event: RefereeEvent) -> Told:
    match event:
        case told.PlayMade():
            return _of_play(event)
        case told.PlayRefused():
            illegal = _with_rules("told.illegal", event.player, event.rules)
            return (illegal, *sentences_said(event.sentences), *_guide(event.take_back, event.belongs, event.player))
        case told.PlayUnclear():
            options = (said("told.options", plays=Plays(event.options)),) if event.options else ()
            places = (said("told.doubtful", places=Places(event.places, event.player)),) if event.places else ()
            why = sentences_said((event.sentence,), event.player)
            return (said("told.unclear", name=Named(event.player)), *why, *options, *places)
        case told.PlayCorrected():
            return (said("told.corrected", name=Named(event.player)),)
        case told.PlayCondoned():
            return (_with_rules("told.condoned", event.player, event.rules),)
        case told.PlayTakenBack():
            return (said("told.taken-back", name=Named(event.player)),)
        case told.TurnEnded() if event.by in (EndedBy.BUTTON, EndedBy.CLOCK):
            return (said(f"told.ended.{event.by.value}", name=Named(event.player)),)
        case told.TurnGoesOn():
            return (said("told.goes-on", name=Named(event.player)),)
        case _:
            return ()


def _of_play(event: told.PlayMade) -> Told:
    play: Value = Plays((event.play,)) if event.play else said("log.no-play")
    inferred = (said("told.inferred", places=Places(event.inferred, event.player)),) if event.inferred else ()
    if not event.numbers:
        return (said("told.play.bare", name=Named(event.player), play=play), *inferred)
    return (said("told.play", name=Named(event.player), roll=Roll(event.numbers), play=play), *inferred)


def _with_rules(key: str, player: Player, rules: tuple[Rule, ...]) -> Said:
    if not rules:  # Grasshopper's are told by their sentences alone
        return said(f"{key}.bare", name=Named(player))
    return said(key, name=Named(player), rules=Listed(tuple(said(f"rule.{rule.value}") for rule in rules)))


def _guide(extra: tuple[str, ...], missing: tuple[str, ...], player: Player | None = None) -> Told:
    parts = (("guide.extra", extra), ("guide.missing", missing))
    return tuple(said(key, places=Places(places, player)) for key, places in parts if places)


def _of_games(event: RefereeEvent) -> Told:
    match event:
        case told.MatchStarted():
            return _of_match(event)
        case told.GameStarted():
            game = said("told.game.crawford" if event.is_crawford else "told.game", number=event.number)
            return (game, said("told.on-turn", name=Named(event.player))) if event.player else (game,)
        case told.CubeTurned():
            name: dict[str, Value] = {"name": Named(event.player)} if event.player else {}
            return (said(_CUBE[event.act], value=event.value, **name),)
        case told.ResignationOffered():
            return (said("doing.resignation", name=Named(event.player), kind=said(f"kind.{event.kind.value}")),)
        case told.ResignationAnswered():
            return (said("told.resignation.accepted" if event.is_accepted else "told.resignation.refused"),)
        case told.GameWon():
            return _of_won_game(event)
        case told.TimeRanOut():
            return (said("told.time-over", name=Named(event.player)),)
        case told.MatchWon():
            return (said("doing.match-won", name=Named(event.player)),)
        case _:
            return ()


def _of_match(event: told.MatchStarted) -> Told:
    length = said("match.to", length=event.length) if event.length else said("match.money")
    started = said(
        "told.match",
        white=Named(Player.WHITE),
        black=Named(Player.BLACK),
        game=_named("game", event.game, NAMES),
        length=length,
        profile=_named("profile", event.profile, PROFILES),
        mode=said(f"mode.{event.mode.value}"),
    )
    if not (event.white_score or event.black_score):
        return (started,)
    return (started, said("told.score", white=event.white_score, black=event.black_score))


def _named(kind: str, name: str, known: Mapping[str, object]) -> Value:
    """A house variant has the name that its author gave it."""
    return said(f"{kind}.{name}") if name in known else Plain(name)


def _of_won_game(event: told.GameWon) -> Told:
    score = said("told.score", white=event.white_score, black=event.black_score)
    if event.player is None:
        return (said("told.drawn"), score)
    won = said("told.won", name=Named(event.player), kind=said(f"kind.{event.kind.value}"))
    return (won, said("told.points", points=event.points), score)


def _of_the_table(event: RefereeEvent) -> Told:
    match event:
        case told.SeatingKnown():
            return (_of_seating(event),)
        case told.CommandRefused():
            reasons = sentences_said((event.reason,)) or (Plain(event.reason),)  # told, even if nobody says why
            return tuple(said("told.not-possible", reason=reason) for reason in reasons)
        case told.BoardDiffers():
            return (said("told.differs"), *_guide(event.extra, event.missing))
        case told.SetUpUnclear():
            if event.is_seating_open:
                return (said("told.seating-open"),)
            return (said("told.set-up-unclear"), said("told.doubtful", places=Places(event.places)))
        case told.BoardAgrees():
            return (said("told.agrees"),)
        case told.BoardCorrected():
            return (said("told.board-told"),)
        case told.BoardMoved():
            return (said("told.moved", mm=round(event.moved_mm)),)
        case told.ModeChanged():
            mode = said("told.mode", mode=said(f"mode.{event.mode.value}"))
            return (mode, said("told.monitor")) if event.monitor_appointed else (mode,)
        case told.DisputeOpened():
            return (said("doing.dispute"),)
        case told.DisputeSettled():
            return (said("told.settled"),)
        case told.MatchPaused():
            return (said("doing.paused"),)
        case told.MatchResumed():
            return (said("told.restarted" if event.after_restart else "told.resumed"),)
        case _:
            return ()


def _of_seating(event: told.SeatingKnown) -> Said:
    seating = event.seating
    return said(
        "told.seating",
        name=Named(Player.WHITE),
        colour=said(f"colour.{seating.white_plays.value}"),
        edge=said(f"seating.{seating.edge.value}"),
        side=said(f"seating.mirrored.{'yes' if seating.mirrored else 'no'}"),
    )


def _of_links(event: RefereeEvent) -> Told:
    match event:
        case told.CameraLost():
            return (said("told.camera-lost"), *_plain(event.sentence))
        case told.CameraBack():
            return (said("told.camera-back"),)
        case told.LightsLost():
            return (said("told.lights-lost"), *_plain(event.sentence))
        case told.LightsBack():
            return (said("told.lights-back"),)
        case told.StorageBack():
            return (said("told.saving"),)
        case _:
            return ()


def _plain(sentence: str) -> Told:
    return (Plain(sentence),) if sentence else ()
