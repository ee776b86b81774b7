import pytest

from controller.match import commands
from controller.match.commands import Command
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.rules import Player, ResultKind
from controller.wording.command_text import CommandTextError, list_commands, parse_command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("end", commands.EndTurn()),
        ("  END  white ", commands.EndTurn(Player.WHITE)),
        ("double b", commands.OfferDouble(Player.BLACK)),
        ("roll 6 5", commands.CorrectRoll((6, 5))),
        ("resign black", commands.Resign(Player.BLACK, ResultKind.SINGLE)),
        ("resign white mars", commands.Resign(Player.WHITE, ResultKind.MARS)),
        ("answer white no", commands.AnswerResignation(Player.WHITE, False)),
        ("board 0/1", commands.CorrectBoard("0/1")),
        ("board 0/1 Black", commands.CorrectBoard("0/1", Player.BLACK)),
        ("board 1 2 B", commands.CorrectBoard("1 2 B")),
        (
            "seating white=dark,edge=top,mirrored=yes",
            commands.SetSeating(Seating(Checkers.DARK, PictureEdge.TOP, True)),
        ),
        ("dispute black", commands.CallDispute(Player.BLACK)),
        ("settle upheld", commands.SettleDispute(is_upheld=True)),
        ("confirm w", commands.ConfirmResult(Player.WHITE)),
        ("next", commands.NextGame()),
        ("", None),
        ("   ", None),
    ],
)
def test_a_line_becomes_a_command(line: str, command: Command | None) -> None:
    """Case and spaces do not matter."""
    assert parse_command(line) == command


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("dubble w", "'dubble' is no order; write one of end, double, take, "),
        ("double", "Write it as: double white|black."),
        ("double green", "Write it as: double white|black."),
        ("roll 7 1", "Write it as: roll N N."),
        ("roll six one", "Write it as: roll N N."),
        ("settle it", "Write it as: settle [upheld]."),
        ("pause now", "Write it as: pause."),
        ("answer white perhaps", "Write it as: answer white|black yes|no."),
        ("seating edge=top", "seating: say all of white=light|dark,edge=bottom|top,mirrored=yes|no."),
        ("board", "Write it as: board POSITION [white|black]."),
    ],
)
def test_a_wrong_line_is_answered_with_the_correct_form(line: str, sentence: str) -> None:
    with pytest.raises(CommandTextError) as raised:
        parse_command(line)
    assert str(raised.value).startswith(sentence)


def test_the_help_explains_every_command() -> None:
    assert len(list_commands()) == 25
    assert any(line.startswith("resign white|black [single|mars|koks] ") for line in list_commands())
