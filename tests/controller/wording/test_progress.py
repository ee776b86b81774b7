import pytest

from controller.subcommands.options.progress_bar import announce_when_slow
from controller.wording.progress import Progress, duration_text, progress_text


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress(50, 100, 10.0), "[############------------]  50%  50 of 100 frames, 10 s left"),
        (Progress(50, 100, 1.0), "[############------------]  50%  50 of 100 frames"),
        (Progress(120, 100, 10.0), "[########################] 100%  120 of 100 frames, 0 s left"),
        (Progress(50, None, 10.0), "50 frames"),
    ],
)
def test_progress(progress: Progress, line: str) -> None:
    """A bar and the remaining time; the part that an earlier run did is not counted as speed."""
    assert progress_text(progress, "frames") == line


@pytest.mark.parametrize(("seconds", "text"), [(8.4, "8 s"), (192, "3 min 12 s"), (7500, "2 h 5 min")])
def test_durations(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


class TestASingleStep:
    def test_a_slow_step_is_announced_on_standard_error(self, capsys: pytest.CaptureFixture[str]) -> None:
        with announce_when_slow("reading board.jpg", after_s=0.0) as said:
            assert said.wait(10)
        written = capsys.readouterr()
        assert (written.out, written.err) == ("", "zarbiter: reading board.jpg …\n")

    def test_a_short_step_is_not_announced(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Neither afterwards nor when it fails."""
        with pytest.raises(OSError, match="gone"), announce_when_slow("reading board.jpg", after_s=0.05) as said:
            raise OSError("gone")
        assert not said.wait(0.2)
        assert capsys.readouterr().err == ""
