"""`zarbiter transcribe`: makes a match log from a recording, or one of each film of a folder; resumes an interrupted run."""

import argparse
import json
import os
from pathlib import Path

from controller.subcommands.options import (
    CommandFailedError,
    SubParsers,
    UsageError,
    add_command,
    add_match_options,
    clock_time,
)


def add(commands: SubParsers, summary: str) -> None:
    transcribe = add_command(
        commands,
        "transcribe",
        _transcribe,
        summary,
        "Reads a recording from beginning to end, or several that make one match, or a folder of films, each a match of its own."
        " Called again after an interruption, it resumes.",
    )
    transcribe.add_argument(
        "sources",
        metavar="SRC",
        nargs="+",
        help="a video, or a folder of pictures in name order or with a timestamps.csv; several in the order of time; or a"
        " folder of films",
    )
    transcribe.add_argument(
        "-o", "--output", metavar="MATCH", help="the match log: a name or a file; films of a folder name their own"
    )
    add_match_options(transcribe)
    transcribe.add_argument("--fps", metavar="F", type=float, help="pictures a second, if the source does not say")
    transcribe.add_argument("--stills", action="store_true", help="treat every picture as a settled scene")
    transcribe.add_argument("--from", dest="first", metavar="TIME", type=clock_time, help="begin at h:mm:ss")
    transcribe.add_argument("--until", metavar="TIME", type=clock_time, help="end at h:mm:ss")
    transcribe.add_argument("--jobs", metavar="N", type=_jobs, help="films of a folder at the same time (default: 1)")
    transcribe.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="the Dask scheduler whose workers read the films, as tcp://192.168.1.5:8786",
    )
    transcribe.add_argument("--json", action="store_true", help="the summary as one JSON object on one line")


def _jobs(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text} is no number of films; give 1 to {_MOST_JOBS}")
    return int(text)


_MOST_JOBS = 64


def _transcribe(options: argparse.Namespace) -> bool:
    from controller.subcommands.transcribing.films import is_folder_of_films

    if is_folder_of_films(options):
        from controller.subcommands.transcribing.archive import transcribe_archive

        try:
            return transcribe_archive(options)
        except CommandFailedError as error:
            if options.json:
                print(json.dumps({"complete": False, "error": str(error)}))
            raise
    return _transcribe_match(options)


def _transcribe_match(options: argparse.Namespace) -> bool:
    from controller.match_log import MatchLogError
    from controller.subcommands.transcribing.summary import summary_lines, transcription_record
    from controller.subcommands.transcribing.transcription import transcribe
    from vision import VisionError

    file = _output_file(options)
    try:
        done = transcribe(file, options)
    except (VisionError, MatchLogError, CommandFailedError) as error:
        if options.json:
            print(json.dumps({"match": str(file), "complete": False, "error": str(error)}))
        raise CommandFailedError(str(error)) from None
    for line in (json.dumps(transcription_record(done)),) if options.json else summary_lines(done):
        print(line)
    return done.is_complete


def _output_file(options: argparse.Namespace) -> Path:
    from controller.match_log import MatchLogError, matches_folder, resolve_new_path
    from controller.settings import data_folder

    if options.output is None:
        raise UsageError("give -o MATCH, the match log: a name or a file; only a folder of films needs none")
    try:
        return resolve_new_path(options.output, matches_folder(data_folder(options.data, os.environ)))
    except MatchLogError as error:
        raise UsageError(f"-o: {error}") from None
