"""What the doctor finds: one value for each thing looked at, told as a table or as lines of JSON.

A check is a function without arguments that gives findings; whatever goes wrong in it becomes a finding too, one that
says that the check could not be made. Nothing is called well that nobody has looked at.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"  # it works, or nobody could tell
    FAULT = "fault"  # `play` would not work


@dataclass(frozen=True, slots=True)
class Finding:
    """`sentence`: how it is or, in one sentence, what is wrong and how to mend it."""

    check: str
    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class Check:
    """One thing to look at."""

    name: str
    run: Callable[[], Iterable[Finding]]


def ok(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.OK, sentence)


def warning(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.WARNING, sentence)


def fault(check: str, sentence: str) -> Finding:
    return Finding(check, Severity.FAULT, sentence)


def inconclusive(check: str, why: str) -> Finding:
    """Nobody knows."""
    return warning(check, f"this could not be checked: {why}")


def run_checks(checks: Iterable[Check]) -> Iterator[Finding]:
    """Every finding, as soon as it is made."""
    for check in checks:
        try:
            yield from check.run()
        except Exception as problem:  # noqa: BLE001 - a doctor that falls over tells nothing of the rest
            yield inconclusive(check.name, f"{type(problem).__name__}: {one_line(str(problem))}")


def has_fault(findings: Iterable[Finding]) -> bool:
    return any(finding.severity is Severity.FAULT for finding in findings)


def finding_line(finding: Finding) -> str:
    """A row of the table; the columns are wide enough for every check there is."""
    return f"{finding.severity.value:8}{finding.check:18}{finding.sentence}"


def finding_record(finding: Finding) -> dict[str, str]:
    """For `--json`."""
    return {"check": finding.check, "verdict": finding.severity.value, "sentence": finding.sentence}


def summarise(findings: Iterable[Finding]) -> str:
    """The last line of the table."""
    verdicts = [finding.severity for finding in findings]
    faults, warnings = verdicts.count(Severity.FAULT), verdicts.count(Severity.WARNING)
    if not faults and not warnings:
        return "All is well."
    parts = [_format_count(faults, "fault"), _format_count(warnings, "warning")]
    return f"{' and '.join(part for part in parts if part)} found."


def _format_count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}" if number else ""


def one_line(text: str) -> str:
    """What a library says, without its line breaks."""
    return " ".join(text.split()) or "no reason given"
