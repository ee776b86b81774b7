"""Guesses the encoding of text that is not Unicode, from how its words would read.

Match files have few words outside ASCII: names of players and places. In its own encoding a word is of one script,
capitals begin it or fill it, and vowels and consonants mix as in speech; in a wrong one it is "Áîðèñ" or "бОРИС".
"""

import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise

_WESTERN = "cp1252"
# In the order of how common they are among match files. A later one must read better by a third of a letter each.
_CANDIDATES = (_WESTERN, "cp1251", "cp1253", "cp1254", "cp1250", "koi8_r", "iso8859_5", "cp866", "cp1255", "cp1256")
_LATER = 0.3
_SAMPLE_BYTES = 10_000  # of the lines with such bytes; names fill a few hundred
_NAMES = {
    _WESTERN: "Windows-1252 (Western)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "iso8859_5": "ISO 8859-5 (Cyrillic)",
    "cp866": "code page 866 (Cyrillic)",
}
_VOWELS = frozenset("aeiouyαεηιουωаеиоуыэюяіїєё")
_HAS_VOWELS = ("LATIN", "GREEK", "CYRILLIC")
_VOWEL_SHARE = 0.45  # of the letters of names; English, Russian and Greek text has 0.38 to 0.50
# Letters of few names, whose bytes are common letters of Turkish in Windows-1254, or of Czech and Polish in Windows-1250.
_RARE = frozenset("ÞþÐðÝýÈÌÒÙÊ")
_MOST_FOREIGN = 0.75  # of a Latin word, the share of letters outside ASCII: Şükrü has 0.6


@dataclass(frozen=True, slots=True)
class DecodedText:
    """`guess` is the name of an encoding that the bytes suggest and do not prove; empty for Unicode and plain text."""

    text: str
    guess: str = ""


def decode_guessed(content: bytes) -> DecodedText:
    """The reading of bytes above 127 that looks most like words. Western text is no guess unless another reading is as good."""
    sample = b"\n".join(line for line in content.splitlines() if not line.isascii())[:_SAMPLE_BYTES]
    texts = {name: sample.decode(name, errors="replace") for name in _CANDIDATES}
    ratings = {name: _rate(text) for name, text in texts.items()}
    best = max(_CANDIDATES, key=lambda name: ratings[name] - _LATER * _CANDIDATES.index(name))
    others = [ratings[name] for name in _CANDIDATES if texts[name] != texts[best]]
    is_certain = best == _WESTERN and ratings[best] > max(others, default=0.0)
    return DecodedText(content.decode(best, errors="replace"), "" if is_certain else _NAMES[best])


def decode_wide(content: bytes) -> DecodedText | None:
    """UTF-16 without a byte order mark: every other byte of such text is zero. None for anything else."""
    sample = content[:2000]
    half = len(sample) // 2
    for at, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        zeros, others = sample[at::2].count(0), sample[1 - at :: 2].count(0)
        if not others and zeros > half // 2:
            return DecodedText(content.decode(name, errors="replace"))
    return None


def _rate(text: str) -> float:
    words = {"".join(group) for is_word, group in groupby(text, _is_of_word) if is_word}
    return sum(_rate_word(word) for word in words if not word.isascii())


def _is_of_word(letter: str) -> bool:
    return letter.isalpha() or not letter.isascii()


def _rate_word(word: str) -> float:
    """Letters that count for the reading, less the letters that count against it."""
    foreign = [letter for letter in word if not letter.isascii()]
    scripts = {unicodedata.name(letter, "NONE").split()[0] if letter.isalpha() else "NONE" for letter in foreign}
    if len(scripts) > 1 or "NONE" in scripts:
        return -2.0 * len(foreign)
    (script,) = scripts
    plain = len(word) - len(foreign)
    if (script == "LATIN" and len(foreign) > _MOST_FOREIGN * len(word)) or (script != "LATIN" and plain):
        return -float(len(foreign))
    odd = sum(first.islower() and second.isupper() for first, second in pairwise(word))
    odd += sum(first.isupper() and second.isupper() for first, second in pairwise(word)) * (not word.isupper())
    odd += sum(letter in _RARE for letter in word)
    rating = len(foreign) - 2.0 * odd
    if script not in _HAS_VOWELS:
        return rating - 0.25 * len(word)  # what a word of the other scripts loses by its vowels
    vowels = sum(unicodedata.normalize("NFD", letter)[0].lower() in _VOWELS for letter in word)
    return rating - abs(vowels - _VOWEL_SHARE * len(word))
