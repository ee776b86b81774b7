"""The progress of a long job and the time it still needs, as one line of text."""

from dataclasses import dataclass

_BAR = 24
# Below this elapsed time the remaining time is not estimated.
LEAST_S = 2.0


@dataclass(frozen=True, slots=True)
class Progress:
    """`total` None: unknown."""

    done: int
    total: int | None
    elapsed_s: float

    @property
    def share(self) -> float | None:
        return None if not self.total else min(1.0, self.done / self.total)

    @property
    def left_s(self) -> float | None:
        """None while there is nothing to extrapolate from."""
        if self.total is None or self.done <= 0 or self.elapsed_s < LEAST_S:
            return None
        return max(0, self.total - self.done) * self.elapsed_s / self.done


def progress_text(progress: Progress, thing: str) -> str:
    """`[######      ]  52 %  52 of 100 frames, 3 min 12 s left`."""
    if progress.share is None:
        return f"{progress.done} {thing}"
    filled = round(_BAR * progress.share)
    bar = "#" * filled + "-" * (_BAR - filled)
    left = "" if progress.left_s is None else f", {duration_text(progress.left_s)} left"
    return f"[{bar}] {progress.share:4.0%}  {progress.done} of {progress.total} {thing}{left}"


def duration_text(seconds: float) -> str:
    """`8 s`, `3 min 12 s`, `2 h 5 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
