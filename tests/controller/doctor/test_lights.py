from controller.doctor.findings import Finding, Severity
from controller.doctor.lights import light_findings
from firmware_bridge.boards.adalight import AdalightBoard
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.light_board import LightBoard
from firmware_bridge.errors import NotALightBoardError, PortForbiddenError
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import FakeClock, FakePlug


def bglp_board(_port: str) -> LightBoard:
    clock = FakeClock()
    return BglpBoard(FakePlug(FakeBoard(FakeBoardSpec(n_led=48)), clock), clock)


def adalight_board(_port: str) -> LightBoard:
    clock = FakeClock()
    return AdalightBoard(FakePlug(FakeBoard(), clock), clock, 48)


def test_a_board_that_answers_is_reported_with_its_verification() -> None:
    """BGLP confirms by a digest; plain Adalight cannot confirm anything."""
    (found,) = light_findings(["/dev/serial/by-id/x"], bglp_board)
    assert found.severity is Severity.OK
    assert "48 LEDs" in found.sentence
    assert "by a digest" in found.sentence
    assert "cannot say what it shows" in next(light_findings(["p"], adalight_board)).sentence


def test_no_port_is_a_warning() -> None:
    """A match can be played without lights."""
    (found,) = light_findings([], bglp_board)
    assert found.severity is Severity.WARNING


def test_another_device_is_ok_beside_a_light_board() -> None:
    """Alone it is a warning, and a fault where the user named its port."""

    def board_at(port: str) -> LightBoard:
        if port == "gps":
            raise NotALightBoardError(port, "something else speaks there", "choose another port")
        return bglp_board(port)

    both = [each for each in light_findings(["gps", "board"], board_at) if "gps" in each.sentence]
    assert [each.severity for each in both] == [Severity.OK]
    assert [each.severity for each in light_findings(["gps"], board_at)] == [Severity.WARNING]
    assert [each.severity for each in light_findings(["gps"], board_at, is_named=True)] == [Severity.FAULT]


def test_a_forbidden_port_is_a_fault_with_its_remedy() -> None:
    """The finding has the sentence of the error."""

    def forbidden(port: str) -> LightBoard:
        raise PortForbiddenError(port, "may not be opened by you", "join its group")

    sentence = "/dev/ttyACM0 may not be opened by you; join its group."
    (found,) = light_findings(["/dev/ttyACM0"], forbidden, is_named=True)
    assert found == Finding("light board", Severity.FAULT, sentence)
