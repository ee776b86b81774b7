"""The cube of one game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules import (
    CubeEvent,
    CubePhase,
    CubeRefusal,
    CubeRules,
    CubeState,
    CubeTurnEnded,
    DoubleBeavered,
    DoubleDropped,
    DoubleOffered,
    DoubleTaken,
    Drop,
    DropPays,
    OpeningDecided,
    Player,
    RaiseBy,
    Rolled,
    Tie,
    apply_cube_event,
    get_ruleset,
)

W, B = Player.WHITE, Player.BLACK
STANDARD = CubeRules()
WITH_BEAVER = CubeRules(beaver=True)
WHITE_MAY_OFFER = (OpeningDecided(W, throws_again=True),)
OFFERED = (*WHITE_MAY_OFFER, DoubleOffered(W))
BEAVERED = (*OFFERED, DoubleBeavered(B))
REDOUBLED = (*OFFERED, DoubleTaken(B), Rolled(), CubeTurnEnded(), DoubleOffered(B))


def played(events: tuple[CubeEvent, ...], rules: CubeRules = STANDARD) -> CubeState:
    """The state after events that must all be allowed."""
    state = CubeState()
    for event in events:
        ruling = apply_cube_event(state, event, rules)
        assert ruling.is_allowed, (event, ruling.refusal)
        state = ruling.state
    return state


def test_a_taken_double_doubles_and_changes_the_owner() -> None:
    """2 for White's double, 4 for Black's redouble; each taker owns the cube."""
    state = played((*OFFERED, DoubleTaken(B)))
    assert (state.value, state.owner, state.turned, state.offer_by) == (2, B, True, None)
    state = played((*REDOUBLED, DoubleTaken(W)))
    assert (state.value, state.owner) == (4, W)


def test_a_pending_offer_is_kept() -> None:
    """Until it is answered the value stays, and the offer shows whose it is."""
    state = played(OFFERED)
    assert (state.value, state.owner, state.turned, state.offer_by) == (1, None, False, W)


def test_a_dropped_double_costs_the_value_before_it() -> None:
    """One point for the first double, two for a redouble to four."""
    assert played((*OFFERED, DoubleDropped(B))).over == Drop(W, 1)
    dropped = played((*REDOUBLED, DoubleDropped(W)))
    assert (dropped.over, dropped.offer_by) == (Drop(B, 2), None)


def test_drop_pays_initial_costs_the_stake_of_the_start() -> None:
    """A refused raise pays what was agreed at the start, however high the cube stands."""
    assert played((*REDOUBLED, DoubleDropped(W)), CubeRules(drop_pays=DropPays.INITIAL)).over == Drop(B, 1)


def test_a_beaver_raises_twice_and_keeps_the_cube() -> None:
    """The doubler takes: four, owned by the beaverer; he drops: the once raised value is lost."""
    assert played(BEAVERED, WITH_BEAVER).offer_by is W
    taken = played((*BEAVERED, DoubleTaken(W)), WITH_BEAVER)
    assert (taken.value, taken.owner, taken.turned, taken.beavered, taken.offer_by) == (4, B, True, False, None)
    dropped = played((*BEAVERED, DoubleDropped(W)), WITH_BEAVER)
    assert (dropped.over, dropped.beavered, dropped.value) == (Drop(B, 2), False, 1)
    by_one = CubeRules(beaver=True, raise_by=RaiseBy.ONE)
    assert played((*BEAVERED, DoubleTaken(W)), by_one).value == 3
    assert played((*BEAVERED, DoubleDropped(W)), CubeRules(beaver=True, drop_pays=DropPays.INITIAL)).over == Drop(B, 1)


def test_arithmetic_raising() -> None:
    """`raise_by = one` gives 2, then 3."""
    assert played((*REDOUBLED, DoubleTaken(W)), CubeRules(raise_by=RaiseBy.ONE)).value == 3


def test_automatic_doubles() -> None:
    """At most `auto_limit`; the cube stays in the middle, is not turned, and no cap holds it."""
    state = played((Tie(), Tie(), Tie()), CubeRules(auto_limit=2, cap=2))
    assert (state.value, state.owner, state.turned, state.automatic_doubles) == (4, None, False, 2)
    assert played((Tie(),), CubeRules(auto_limit=1, raise_by=RaiseBy.ONE)).value == 2
    assert played((Tie(),)).value == 1


@pytest.mark.parametrize("rules", [CubeRules(use=False, auto_limit=1), CubeRules(crawford_game=True, auto_limit=1)])
def test_no_automatic_double_where_the_cube_rests(rules: CubeRules) -> None:
    """Without a cube, and in the Crawford game, a tie raises nothing."""
    assert played((Tie(),), rules).value == 1


def test_the_starter_with_opening_dice_has_thrown() -> None:
    """He cannot offer before his first roll, but the opponent can before his."""
    assert played((OpeningDecided(W, throws_again=False), CubeTurnEnded())).on_turn is B
    assert played((OpeningDecided(W, throws_again=False),)).phase is CubePhase.ROLLED
    assert played((OpeningDecided(B, throws_again=True),)).phase is CubePhase.TO_ROLL
    assert played((OpeningDecided(W, throws_again=False), CubeTurnEnded(), DoubleOffered(B))).offer_by is B


DROPPED = (*OFFERED, DoubleDropped(B))
OWNED_BY_BLACK = (*OFFERED, DoubleTaken(B))


@pytest.mark.parametrize(
    ("before", "event", "rules", "refusal"),
    [
        (DROPPED, Rolled(), STANDARD, CubeRefusal.GAME_OVER),
        (DROPPED, DoubleOffered(W), STANDARD, CubeRefusal.GAME_OVER),
        (WHITE_MAY_OFFER, Tie(), STANDARD, CubeRefusal.OPENING_OVER),
        (WHITE_MAY_OFFER, OpeningDecided(B, throws_again=True), STANDARD, CubeRefusal.OPENING_OVER),
        ((), Rolled(), STANDARD, CubeRefusal.NOT_STARTED),
        ((), CubeTurnEnded(), STANDARD, CubeRefusal.NOT_STARTED),
        ((), DoubleOffered(W), STANDARD, CubeRefusal.NOT_STARTED),
        (OFFERED, Rolled(), STANDARD, CubeRefusal.OFFER_PENDING),
        (OFFERED, CubeTurnEnded(), STANDARD, CubeRefusal.OFFER_PENDING),
        (OFFERED, DoubleOffered(W), STANDARD, CubeRefusal.OFFER_PENDING),
        (OFFERED, DoubleOffered(B), STANDARD, CubeRefusal.OFFER_PENDING),
        (WHITE_MAY_OFFER, CubeTurnEnded(), STANDARD, CubeRefusal.NOT_ROLLED),
        ((*WHITE_MAY_OFFER, Rolled()), Rolled(), STANDARD, CubeRefusal.ALREADY_ROLLED),
        ((*WHITE_MAY_OFFER, Rolled()), DoubleOffered(W), STANDARD, CubeRefusal.ALREADY_ROLLED),
        ((OpeningDecided(W, throws_again=False),), DoubleOffered(W), STANDARD, CubeRefusal.ALREADY_ROLLED),
        (WHITE_MAY_OFFER, DoubleOffered(W), CubeRules(use=False), CubeRefusal.NO_CUBE),
        (WHITE_MAY_OFFER, DoubleOffered(W), CubeRules(crawford_game=True), CubeRefusal.CRAWFORD),
        (WHITE_MAY_OFFER, DoubleOffered(B), STANDARD, CubeRefusal.NOT_ON_TURN),
        ((*OWNED_BY_BLACK, Rolled(), CubeTurnEnded(), Rolled(), CubeTurnEnded()), DoubleOffered(W), STANDARD, CubeRefusal.NOT_OWNER),
        (WHITE_MAY_OFFER, DoubleOffered(W), CubeRules(cap=1), CubeRefusal.CAP),
        (WHITE_MAY_OFFER, DoubleTaken(B), STANDARD, CubeRefusal.NO_OFFER),
        (WHITE_MAY_OFFER, DoubleDropped(B), STANDARD, CubeRefusal.NO_OFFER),
        (WHITE_MAY_OFFER, DoubleBeavered(B), WITH_BEAVER, CubeRefusal.NO_OFFER),
        (OFFERED, DoubleTaken(W), STANDARD, CubeRefusal.OWN_OFFER),
        (OFFERED, DoubleDropped(W), STANDARD, CubeRefusal.OWN_OFFER),
        (OFFERED, DoubleBeavered(W), WITH_BEAVER, CubeRefusal.OWN_OFFER),
        (OFFERED, DoubleBeavered(B), STANDARD, CubeRefusal.BEAVER_NOT_AGREED),
        (OFFERED, DoubleBeavered(B), CubeRules(beaver=True, cap=2), CubeRefusal.CAP),
        (BEAVERED, DoubleBeavered(B), WITH_BEAVER, CubeRefusal.ALREADY_BEAVERED),
        (BEAVERED, DoubleTaken(B), WITH_BEAVER, CubeRefusal.NOT_ASKED),
        (BEAVERED, DoubleDropped(B), WITH_BEAVER, CubeRefusal.NOT_ASKED),
    ],
)  # fmt: skip
def test_a_refusal_is_named_and_changes_nothing(
    before: tuple[CubeEvent, ...], event: CubeEvent, rules: CubeRules, refusal: CubeRefusal
) -> None:
    """Each refusal has its own reason, and a sentence."""
    state = played(before, rules)
    ruling = apply_cube_event(state, event, rules)
    assert (ruling.refusal, ruling.is_allowed, ruling.state) == (refusal, False, state)
    assert refusal.sentence.endswith(".")


def test_a_cap_may_be_reached() -> None:
    """A cap of 4 allows a redouble to 4 and a beaver to 4."""
    capped = CubeRules(beaver=True, cap=4)
    assert played((*REDOUBLED, DoubleTaken(W)), capped).value == 4
    assert played((*BEAVERED, DoubleTaken(W)), capped).value == 4


def test_every_refusal_has_its_own_sentence() -> None:
    assert len({refusal.sentence for refusal in CubeRefusal}) == len(CubeRefusal)


def test_the_cube_of_a_ruleset() -> None:
    """Cube, cap, raising and prices come from the game's row."""
    assert CubeRules.of(get_ruleset("backgammon")) == CubeRules()
    assert CubeRules.of(get_ruleset("tavla")).use is False


PLAYERS = st.sampled_from(Player)
EVENTS = st.one_of(
    st.builds(Tie),
    st.builds(OpeningDecided, PLAYERS, st.booleans()),
    st.builds(Rolled),
    st.builds(CubeTurnEnded),
    st.builds(DoubleOffered, PLAYERS),
    st.builds(DoubleTaken, PLAYERS),
    st.builds(DoubleDropped, PLAYERS),
    st.builds(DoubleBeavered, PLAYERS),
)


@given(script=st.lists(EVENTS, max_size=60), cap=st.sampled_from((None, 2, 64)), beaver=st.booleans())
def test_a_cube_stays_possible(script: list[CubeEvent], cap: int | None, beaver: bool) -> None:
    """Whatever is asked: a power of two, within the cap, owned only when turned, and never falling."""
    rules, state = CubeRules(cap=cap, beaver=beaver), CubeState()
    for event in script:
        before, state = state, apply_cube_event(state, event, rules).state
        assert state.value.bit_count() == 1
        assert before.value <= state.value <= (cap or state.value)
        assert (state.owner is not None) == state.turned == (state.value > 1)
