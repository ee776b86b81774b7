import pytest

from controller.progress import Progress, duration_text, progress_text


@pytest.mark.parametrize(
    ("progress", "line"),
    [
        (Progress(50, 100, 10.0), "[############------------]  50%  50 of 100 frames, 10 s left"),
        (Progress(50, 100, 1.0), "[############------------]  50%  50 of 100 frames"),
        (Progress(90, 100, 10.0, begun=80), "[######################--]  90%  90 of 100 frames, 10 s left"),
        (Progress(120, 100, 10.0), "[########################] 100%  120 of 100 frames, 0 s left"),
        (Progress(50, None, 10.0), "50 frames"),
    ],
)
def test_progress(progress: Progress, line: str) -> None:
    """A bar and the time that is left; what an earlier run did is not counted as speed."""
    assert progress_text(progress, "frames") == line


@pytest.mark.parametrize(("seconds", "text"), [(8.4, "8 s"), (192, "3 min 12 s"), (7500, "2 h 5 min")])
def test_durations(seconds: float, text: str) -> None:
    """In the two largest units."""
    assert duration_text(seconds) == text
