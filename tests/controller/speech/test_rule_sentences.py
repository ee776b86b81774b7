import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import controller.refereeing
from controller.observing.place_evidence import make_doubt_sentence
from controller.refereeing.match_config import MatchConfig
from controller.rules import (
    RULESETS,
    BadThrow,
    CubeRefusal,
    Illegal,
    Player,
    Position,
    Roll,
    RollCounters,
    Setup,
    Side,
    Turn,
    judge,
    make_own_throw,
    parse_setup,
    position_text,
)
from controller.rules.grasshopper import game as grasshopper
from controller.rules.grasshopper import judge as grasshopper_judge
from controller.speech.language import Language
from controller.speech.pack import load_pack
from controller.speech.phrases import Phrase, PlaceNames, PlayNotations, PointNumbers, Sentence, Verbatim, phrase
from controller.speech.rule_sentences import parse_rule_sentences
from vision.places import Place

ENGLISH = load_pack(Language.ENGLISH)
UNREACHABLE = {"no_such_point"}  # Grasshopper's board has no other points


def found(sentence: str) -> tuple[Phrase, ...]:
    """The phrases of the packs that a sentence is parsed into."""
    sentences = parse_rule_sentences((sentence,))
    return tuple(each for each in sentences if isinstance(each, Phrase) and each.key in ENGLISH.texts)


def is_found(sentence: str) -> bool:
    return 0 < len(found(sentence)) == len(parse_rule_sentences((sentence,)))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "24/18 with the 6 landed on point 18, which the opponent holds.",
            (
                phrase("fault.step", play=PlayNotations(("24/18",)), number=6),
                phrase("fault.closed_point", play=PlayNotations(("24/18",)), number=6),
            ),
        ),
        (
            "At least one number must be played, for example 8/5 6/5.",
            (
                phrase("fault.must_play_one", play=PlayNotations(("8/5 6/5",))),
                phrase("fault.example", play=PlayNotations(("8/5 6/5",))),
            ),
        ),
        ("At least one number must be played.", (phrase("fault.must_play_one"),)),
        ("Only one checker may leave the head in one roll.", (phrase("fault.head", limit=1),)),
        ("Only 2 may leave the head in one roll.", (phrase("fault.head", limit=2),)),
        (
            "A checker went back from point 5 to the bar; checkers only move forward.",
            (Phrase("fault.backwards", {"from": PointNumbers((5,)), "to": PointNumbers((25,))}),),
        ),
        (make_doubt_sentence((Place.T5, Place.BAR)), (phrase("cannot.doubtful", places=PlaceNames(("T5", "bar"))),)),
        ("The lens is dirty.", (Verbatim("The lens is dirty."),)),
        ("", ()),
    ],
)
def test_a_sentence_is_parsed_into_key_and_values(sentence: str, expected: tuple[Sentence, ...]) -> None:
    assert parse_rule_sentences((sentence,)) == expected


def test_doubtful_places_are_counted_as_the_player_does() -> None:
    (doubt,) = parse_rule_sentences((make_doubt_sentence((Place.B1,)),), Player.BLACK)
    assert isinstance(doubt, Phrase)
    assert doubt.values["places"] == PlaceNames(("B1",), Player.BLACK)


@pytest.mark.parametrize("refusal", [*CubeRefusal, *BadThrow])
def test_every_refusal_of_cube_and_dice_is_found(refusal: CubeRefusal | BadThrow) -> None:
    assert is_found(refusal.sentence)


def test_every_refusal_of_the_referee_is_found() -> None:
    """Each sentence in `refereeing/` that refuses an order or says why a play is unclear."""
    sentences = set(refusals())
    assert len(sentences) > 18
    assert [sentence for sentence in sentences if not is_found(sentence)] == []


def refusals() -> list[str]:
    """Literal sentences that are passed to `refuse`, and sentences in constants of the package."""
    folder = Path(str(controller.refereeing.__file__)).parent
    literals: list[ast.expr] = []
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "refuse":
                literals += node.args
            elif isinstance(node, ast.Assign):
                literals.append(node.value)
    values = [one.value for one in literals if isinstance(one, ast.Constant)]
    return [value for value in values if isinstance(value, str) and value.endswith(".")]


@pytest.mark.parametrize("reason", [*grasshopper.Reason, *grasshopper_judge.Mismatch])
def test_every_refusal_of_grasshopper_is_found(reason: grasshopper.Reason | grasshopper_judge.Mismatch) -> None:
    """With and without points."""
    if reason.value in UNREACHABLE:
        return
    for where in ("", " (point 3)", " (points 3, 19)"):
        values = {"source": 3, "target": 19, "origin": "the hand", "walls": "5, 6", "where": where}
        assert is_found(reason.sentence.format(**values))


@st.composite
def boards(draw: st.DrawFn, side: Side) -> Side:
    """A side with up to three checkers added, removed or moved."""
    counts = list(side.points)
    for _ in range(draw(st.integers(0, 3))):
        counts[draw(st.integers(0, 23))] += draw(st.sampled_from((-1, 1)))
    bar = max(0, side.bar + draw(st.integers(-1, 1)))
    return Side(max(0, draw(st.integers(0, 1))), tuple(max(0, count) for count in counts), bar)


@given(
    st.data(), st.sampled_from([name for name in RULESETS if name != "plakoto"]), st.integers(1, 6), st.integers(1, 6)
)
def test_every_sentence_of_the_judge_is_found(data: st.DataObject, game: str, first: int, second: int) -> None:
    """For any board after the first throw."""
    rules = RULESETS[game]
    start = parse_setup(MatchConfig(game=game, rules=rules).start_text)
    before = Position.of(start, rules)
    after = Setup(data.draw(boards(start.white)), data.draw(boards(start.black)))
    turn = Turn((make_own_throw(Roll.of(first, second), rules, RollCounters()),))
    ruling = judge(before, Player.WHITE, turn, after, rules)
    for breach in ruling.breaches if isinstance(ruling, Illegal) else ():
        assert is_found(breach.sentence), (breach.sentence, position_text(before))
