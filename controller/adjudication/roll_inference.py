"""Infers from a settled board which of several possible throws was played."""

from collections.abc import Sequence

from controller.adjudication.legal_results import legal_results
from controller.adjudication.thresholds import DEFAULT_THRESHOLDS, AdjudicationThresholds
from controller.adjudication.turn_evidence import ThrowInPlay, make_turn_evidence
from controller.observing import BoardEvidence
from controller.rules import Throw


def infer_throws(
    turns: Sequence[ThrowInPlay], seen: BoardEvidence, limits: AdjudicationThresholds = DEFAULT_THRESHOLDS
) -> tuple[Throw, ...]:
    """The throw whose legal results contain the most likely board, and the throws within `limits.apart` nats of it.

    `turns` are the possible throws. `adjudicate` decides whether a throw explains the board well. The result is empty if a
    throw of several stages is one of several throws: it has too many results to be distinguished.
    """
    throws = tuple(turn.throw for turn in turns)
    if len(throws) == 1:
        return throws
    scores: list[float] = []
    for turn in turns:
        if len(turn.throw.stages) > 1:
            return ()
        evidence = make_turn_evidence(turn, seen, limits)
        results = legal_results(turn.before, turn.mover, turn.throw, turn.rules, turn.seating)
        scores.append(float(results.by_place(evidence.likelihoods).sum(axis=1).max()))
    best = max(scores, default=0.0)
    return tuple(throw for throw, score in zip(throws, scores, strict=True) if score >= best - limits.apart)
