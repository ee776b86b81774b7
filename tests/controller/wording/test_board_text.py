import pytest

from controller.rules import RULESETS, Player, Position, parse_setup, start_position, with_options
from controller.rules.grasshopper.game import from_text
from controller.wording.board_text import ASCII, UNICODE, CubeDisplay, board_text, grasshopper_text, select_glyphs


def drawn(game: str, text: str) -> list[str]:
    """The lines of a position in ASCII, without the panel at the right."""
    rules = RULESETS[game]
    board = board_text(Position.of(parse_setup(text), rules), rules, glyphs=ASCII)
    return [line[:60].rstrip() for line in board.splitlines()]


def test_the_start_of_backgammon() -> None:
    """White has P24, P13, P8 and P6; the frame carries Black's own numbers, the panel pips and checkers off."""
    rules = RULESETS["backgammon"]
    board = board_text(start_position(rules), rules, own_path_of=Player.BLACK, cube=CubeDisplay(1))
    assert board.splitlines() == [
        "  P13 P14 P15 P16 P17 P18         P19 P20 P21 P22 P23 P24",
        " ┌─12──11──10──9───8───7───┬─────┬─6───5───4───3───2───1───┐",
        " │ ○   ·   ·   ·   ●   ·   │     │ ●   ·   ·   ·   ·   ○   │  ● Black",
        " │ ○               ●       │     │ ●                   ○   │  pips  167",
        " │ ○               ●       │     │ ●                       │  off     0",
        " │ ○                       │     │ ●                       │",
        " │ ○                       │     │ ●                       │",
        " │                         │ [1] │                         │",
        " │ ●                       │     │ ○                       │  ○ White",
        " │ ●                       │     │ ○                       │  pips  167",
        " │ ●               ○       │     │ ○                       │  off     0",
        " │ ●               ○       │     │ ○                   ●   │",
        " │ ●   ·   ·   ·   ○   ·   │     │ ○   ·   ·   ·   ·   ●   │",
        " └─13──14──15──16──17──18──┴─────┴─19──20──21──22──23──24──┘",
        "  P12 P11 P10  P9  P8  P7          P6  P5  P4  P3  P2  P1",
    ]


def test_a_tall_stack_shows_its_height() -> None:
    """For fifteen checkers on White's head (P12) and Black's (P24), four are drawn and the number 15."""
    lines = drawn("long_nardy", f"{'0' * 24}f0/{'0' * 24}f0")
    assert [line[3] for line in lines[8:13]] == ["1", "O", "O", "O", "O"]
    assert [line[55] for line in lines[2:6]] == ["X", "X", "X", "X"]
    assert lines[6].split() == ["|", "|", "|", "15", "|"]
    assert lines[8].split() == ["|", "15", "|", "|", "|"]


def test_white_head_24_exchanges_the_corners() -> None:
    """In gul bara White starts on P24 and Black on P12."""
    lines = drawn("gul_bara", f"{'0' * 24}f0/{'0' * 24}f0")
    assert lines[2] == " | .   .   .   .   .   .   |     | .   .   .   .   .   O   |"
    assert lines[12] == " | X   .   .   .   .   .   |     | .   .   .   .   .   .   |"


def test_clockwise_play_is_drawn_in_the_mirror() -> None:
    """With `sense = cw` P1 lies at the lower left and White's head P12 at the lower right."""
    rules = with_options(RULESETS["long_nardy"], {"sense": "cw"})
    lines = board_text(start_position(rules), rules, glyphs=ASCII).splitlines()
    assert lines[0] == "  P24 P23 P22 P21 P20 P19         P18 P17 P16 P15 P14 P13"
    assert lines[12] == " | .   .   .   .   .   .   |     | .   .   .   .   .   O   |"
    assert lines[14] == "   P1  P2  P3  P4  P5  P6          P7  P8  P9 P10 P11 P12"


def test_a_pinned_checker_lies_in_brackets_below() -> None:
    """White's two checkers on P6 pin Black's there; his five on P5 pin nothing."""
    lines = drawn("plakoto", f"00000520000000000000000080/{'0' * 19}1{'0' * 4}e0/B19")
    assert [line[34:42] for line in lines[8:13]] == ["     O  ", "     O  ", " O   O  ", " O   O  ", "(X)  O  "]


def test_bar_and_cube() -> None:
    """Black's checkers on the bar lie in the upper half, White's in the lower half; a cube stands with its owner."""
    rules = RULESETS["backgammon"]
    position = Position.of(parse_setup("00000050300005000000000002/00000050300005000000000011"), rules)
    lines = board_text(position, rules, glyphs=ASCII, cube=CubeDisplay(4, Player.BLACK)).splitlines()
    assert [line[28:33] for line in lines[2:13]] == ["  X  ", *["     "] * 8, "  O  ", "  O  "]
    assert lines[5].endswith("  cube [4]")


def test_the_reserve_waits_in_the_panel() -> None:
    """In backgammon race all fifteen checkers wait beside an empty board."""
    rules = RULESETS["backgammon_race"]
    lines = board_text(start_position(rules), rules).splitlines()
    assert [line[-9:] for line in (lines[5], lines[11])] == ["waits  15"] * 2


def test_grasshopper_shows_walls_hands_and_scores() -> None:
    """The wall on P8 is two pieces; White has 11 in the hand, Black 11 and one score of two pieces."""
    lines = grasshopper_text(from_text(".w....bW................ 11 11 W B"), glyphs=ASCII).splitlines()
    assert [line.split("|")[1] for line in lines[11:13]] == ["                 O       ", " .   .   .   .   O   X   "]
    assert lines[2].endswith("  X Black")
    assert [line[62:] for line in lines[3:6]] == ["hand   11", "score   1", "scored last"]
    assert [line[62:] for line in lines[8:11]] == ["O White", "hand   11", "score   0"]


@pytest.mark.parametrize("game", RULESETS)
def test_every_board_fits_into_80_columns(game: str) -> None:
    lines = board_text(start_position(RULESETS[game]), RULESETS[game], own_path_of=Player.WHITE).splitlines()
    assert len(lines) == 15
    assert max(map(len, lines)) <= 79


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "no-such-encoding", None, "utf-8"])
def test_only_encodings_with_circles_get_them(encoding: str | None) -> None:
    assert select_glyphs(encoding) is (UNICODE if encoding == "utf-8" else ASCII)
