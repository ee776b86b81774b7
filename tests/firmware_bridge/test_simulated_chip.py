"""The simulator finds fault where there is fault: a firmware that does all wrong, and a machine without the tools."""

from collections.abc import Iterator

import pytest

from tests.firmware_bridge.simulated_chip import CYCLES_PER_MS, SimulatedChip, require_toolchain, simulator


@pytest.fixture
def wrong() -> Iterator[SimulatedChip]:
    with SimulatedChip(elf=simulator() / "wrong.elf") as chip:
        chip.strip(4)
        yield chip


def test_bad_waveforms_are_found(wrong: SimulatedChip) -> None:
    """A missing bit, a rest that latches some kinds only, and a pulse that is no bit: three faults; a right LED is none."""
    wrong.run(0.4)
    assert (wrong.pictures, wrong.timing.n_faults) == (1, 0)
    wrong.run(5)
    assert (wrong.pictures, wrong.timing.n_faults) == (4, 3)


@pytest.mark.parametrize(
    ("sent", "said"), [(b"a", b"\1\0a"), (b"abc", b"\3\0abc"), (b"abcd", b"\3\1abd"), (b"abcdefgh", b"\3\1abh")]
)
def test_a_deaf_receiver_loses_what_the_chip_cannot_hold(wrong: SimulatedChip, sent: bytes, said: bytes) -> None:
    """Two bytes and one in the making are held; of more, only the last stays in the making, and the overrun is reported."""
    wrong.run(10)
    wrong.send(sent)
    wrong.run(10)
    assert wrong.received() == said
    assert wrong.bytes_lost == len(sent) - min(len(sent), 3)


def test_bytes_take_their_time(wrong: SimulatedChip) -> None:
    """Ten bits a byte: what is sent at 115200 is complete after 87 us and not before; the answer takes 85 us a byte."""
    wrong.run(10)
    began_ms = wrong.now_ms
    wrong.send(b"a")
    wrong.run(10)
    at_ms = [at for _, at in wrong.received_at()]
    assert 2.0 + 9.5 * 1_000 / 115_200 + 0.085 < at_ms[0] - began_ms < 2.0 + 10 * 1_000 / 115_200 + 0.1
    assert at_ms[1] - at_ms[0] == pytest.approx(10 * 17 * 8 / CYCLES_PER_MS, abs=0.002)


def test_without_the_tools_it_is_skipped_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names the missing tool and the remedy; where REQUIRE_SIM is 1 the same is a failure."""
    monkeypatch.setattr("shutil.which", lambda tool: None if tool == "avr-gcc" else tool)
    monkeypatch.delenv("REQUIRE_SIM", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"needs avr-gcc.*apt-get install"):
        require_toolchain()
    monkeypatch.setenv("REQUIRE_SIM", "1")
    with pytest.raises(pytest.fail.Exception, match=r"needs avr-gcc.*apt-get install"):
        require_toolchain()
