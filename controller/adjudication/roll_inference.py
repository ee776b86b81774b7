"""Infers from a settled board which of several possible throws was played."""

from collections.abc import Sequence

from controller.adjudication.legal_results import legal_results
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.adjudication.turn_evidence import make_turn_evidence
from controller.match import Seating
from controller.observing import BoardEvidence
from controller.rules import Player, Position, Ruleset, Throw


def infer_throws(  # noqa: PLR0917 - who may have thrown what, before which board; what is seen; of whose checkers
    before: Position,
    mover: Player,
    throws: Sequence[Throw],
    seen: BoardEvidence,
    seating: Seating,
    rules: Ruleset,
    *,
    bar_is_used: bool = True,
    limits: AdjudicationThresholds = DEFAULT_THRESHOLDS,
) -> tuple[Throw, ...]:
    """The throw whose legal results contain the most likely board, and the throws within `limits.apart` nats of it.

    `adjudicate` decides whether a throw explains the board well. The result is empty if a throw of several stages is one of
    several throws: it has too many results to be distinguished.
    """
    if len(throws) == 1:
        return tuple(throws)
    scores: list[float] = []
    for throw in throws:
        if len(throw.stages) > 1:
            return ()
        evidence = make_turn_evidence(
            before, mover, throw, seen=seen, seating=seating, rules=rules, bar_is_used=bar_is_used, limits=limits
        )
        results = legal_results(before, mover, throw, rules, seating)
        scores.append(float(results.by_place(evidence.likelihoods).sum(axis=1).max()))
    best = max(scores, default=0.0)
    return tuple(throw for throw, score in zip(throws, scores, strict=True) if score >= best - limits.apart)
