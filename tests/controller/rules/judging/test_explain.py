"""A sentence for every rule: which checker, which number, and why."""

import pytest

from controller.rules import Illegal, Player, Position, Rule, get_ruleset, judge_stage, make_stage, parse_setup

# Game, throw (! for the first roll), mover, board before, board after and rule: the sentence.
SENTENCES = {
    "backgammon 6-4 W e0000000000010000000000000/0d000000000000000000000200 e0000000000010000000000000/0d000000000000000000000200 must_play_more":
        "More of the numbers 6-4 can be played, for example 12/6.",
    "backgammon 6-4 W e0000000000010000000000000/0d000000000000000000000200 e0001000000000000000000000/0d000000000000000000000200 wrong_numbers":
        "No legal play with 6-4 leads to this board; with another throw it would be legal.",
    "backgammon 3-2 W 000000d0000000000000000002/0d020000000000000000000000 010000c0000000000000000002/0d020000000000000000000000 bar_first":
        "6/3 with the 3 was played while a checker waited on the bar; the bar enters first.",
    "backgammon 6-3 B 00000200200033000000320000/e0000000000000100000000000 00000200200033000000320000/e0000000000100000000000000 larger_die":
        "Only one of the two numbers can be played, so it must be the 6, for example 14/8.",
    "backgammon_g 1-1-1-1 W c0010020000000000000000000/0e000000000000000000000100 d0000110000000000000000000/0e000000000000000000000001 home_hit":
        "1/off with the 1 moved the checker that had just hit in its own home. It may move on inside the home, but not be borne off in this turn.",
    "backgammon_g 5-5-5-5 W d0000020000000000000000000/000000c0000000000000101010 e1000000000000000000000000/000000c0000000000000101001 pair":
        "1/off with the 5 is refused. A checker that joined the hitter in this turn may not be borne off in it either.",
    "caucasian 4-2 W c0200000100000000000000000/0e000000000000000000010000 c0300000000000000000000000/0e000000000000000000000001 home_hit":
        "4/2 with the 2 moved the checker that had just hit in its own home. It may not step onto another own checker, and is borne off only if nothing else uses the number.",
    "tavla 4-2 W d0000000100010000000000000/0e000000000000000000010000 d0100000000010000000000000/0e000000000000000000000001 home_hit":
        "4/2 with the 2 moved the checker that had just hit in its own home. It must stay there until the next turn.",
    "tavla 5-2 W 31812000000000000000000000/05320101101010000000000000 42801000000000000000000000/05320101101010000000000000 forced_bearoff":
        "3/1 with the 2 was played although a checker could be borne off, which comes first.",
    "old_english 6-1 W 00000005000005000000000050/0000000000000f000000000000 00000006000004000000000050/0000000000000f000000000000 max_stack":
        "13/7 with the 6 put a checker on point 7, which was full: 5 is the limit.",
    "old_english 6-1 W 00000005000005000000000050/0000000000000f000000000000 00000005000005000000000050/0000000000000f000000000000 must_play_one":
        "At least one number must be played, for example 24/23 24/18.",
    "long_nardy 6-6-6-6! W 000000000000000000000000f0/000000000000000000000000f0 000000000000000000400000b0/000000000000000000000000f0 head":
        "24/18 with the 6 took one checker too many from the head. Only one checker may leave the head in one roll.",
    "long_nardy 4-4-4-4! W 000000000000000000000000f0/000010000000000000000000e0 000000000000000000002000d0/000010000000000000000000e0 head_exception":
        "24/20 with the 4 took one checker too many from the head. A second checker may leave the head only when the first roll allows it, and this one does not.",
    "long_nardy 2-1 W 00000000000002111100900000/000000000000f0000000000000 00000000000011111110800000/000000000000f0000000000000 prime":
        "20/18 with the 2 made six points in a row with none of the opponent's checkers ahead of them.",
    "long_nardy 5-1 W 00000000000000111110900010/00000000000f00000000000000 00000000000000111120900000/00000000000f00000000000000 prime_in_passing":
        "24/19 with the 5 made, on the way, six points in a row with none of the opponent's checkers ahead.",
    "fevga 6-6-6-6 W 000000000000000000000000f0/000000000000000000000000f0 000000000000000000400000b0/000000000000000000000000f0 first_checker":
        "24/18 with the 6 moved a second checker from the head before the first had passed the opponent's start.",
    "fevga 3-1 W 00000000002000000000222250/00000000000000000000f00000 00000001001000000001122250/00000000000000000000f00000 start_quarter":
        "20/19 with the 1 would hold more than 5 points of the start quarter (19 to 24).",
    "fevga 2-1 W 01122220050000000000000000/0000000000000000000f000000 01221220140000000000000000/0000000000000000000f000000 unblock":
        "The six points in front of the opponent's whole army must be opened, for example 6/5 6/4.",
    "backgammon 5-4 W d0000001000000000000000010/00d00000000000000000000200 d0100000000000000000100000/00d00000000000000000000200 closed_point":
        "7/2 with the 5 landed on point 2, which the opponent holds.",
    "backgammon 5-4 W d0000100000000000000000010/00f00000000000000000000000 e0000000000000000000100000/00f00000000000000000000000 bearoff_early":
        "5/off with the 5 came too early: all checkers must be home, and a larger number takes the highest one.",
}  # fmt: skip


@pytest.mark.parametrize(("row", "sentence"), SENTENCES.items())
def test_the_sentence_names_checker_number_and_reason(row: str, sentence: str) -> None:
    game, throw, player, pos, after, rule = row.split()
    numbers = [int(number) for number in throw.rstrip("!").split("-")]
    rules = get_ruleset(game)
    before = Position.of(parse_setup(pos), rules)
    stage = make_stage(numbers, first_roll=throw.endswith("!"))
    ruling = judge_stage(before, Player(player), stage, parse_setup(after), rules)
    assert isinstance(ruling, Illegal)
    assert [breach.sentence for breach in ruling.breaches if breach.rule is Rule(rule)] == [sentence]
