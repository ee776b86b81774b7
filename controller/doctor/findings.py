"""Findings of the doctor, as values, as rows of a table, and as JSON.

A check is a function without arguments that yields findings. An exception in a check becomes a finding which says that the
check could not be made. Nothing is reported as OK without a check.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """The severity of a finding."""

    OK = "ok"
    WARNING = "warning"  # it works, or the check was inconclusive
    FAULT = "fault"  # `play` would not work


@dataclass(frozen=True, slots=True)
class Finding:
    """`sentence` states the result or, for a problem, what is wrong and the remedy."""

    check: str
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class Check:
    """A named check."""

    name: str
    run: Callable[[], Iterable[Finding]]


def ok(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.OK, sentence)


def warning(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.WARNING, sentence)


def fault(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.FAULT, sentence)


def inconclusive(check: str, why: str) -> Finding:
    """A check that gave no result."""
    return warning(check, f"this could not be checked: {why}")


def run_checks(checks: Iterable[Check]) -> Iterator[Finding]:
    """Yields every finding as soon as it is made."""
    for check in checks:
        try:
            yield from check.run()
        except Exception as problem:  # noqa: BLE001 - the other checks must still run
            yield inconclusive(check.name, f"{type(problem).__name__}: {one_line(str(problem))}")


def has_fault(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.FAULT for finding in findings)


def finding_line(finding: Finding) -> str:
    """A row of the table; the columns are wide enough for all checks."""
    return f"{finding.severity.value:8}{finding.check:18}{finding.sentence}"


def finding_record(finding: Finding) -> dict[str, str]:
    """An object of `--json`."""
    return {"check": finding.check, "verdict": finding.severity.value, "sentence": finding.sentence}


def summarise(findings: Iterable[Finding]) -> str:
    """The last line of the table."""
    verdicts = [finding.severity for finding in findings]
    counts = ((verdicts.count(Severity.FAULT), "fault"), (verdicts.count(Severity.WARNING), "warning"))
    parts = [f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts if number]
    return f"{' and '.join(parts)} found." if parts else "All is well."


def one_line(text: str) -> str:
    """A message of a library without line breaks."""
    return " ".join(text.split()) or "no reason given"
