"""Writes functions/reading/data/soundalikes.txt: ordinary words that captions do not mean a company by.

pip install wordfreq==3.1.1
python -m scripts.extract_soundalikes
"""

import textwrap
from pathlib import Path

from wordfreq import get_frequency_dict, zipf_frequency

from functions.reading.listings import DATA, all_listings
from functions.reading.rules.known import SHORTEST, alike, known_names, names_by_sound, sound

TARGET = Path(DATA) / "soundalikes.txt"
HEADER = """\
# Ordinary words (and names of people and places) that are no company, however much they sound or look like one.
# Written by scripts/extract_soundalikes.py with the word frequencies of wordfreq 3.1.1 (Apache 2.0).
"""
KNOWN_WORD = 1.5
RARE_WORD, ORDINARY_WORD = 2.0, 3.0
"""Zipf frequencies: from about one word in thirty million, ten million and one million on."""
VOWELS = frozenset("aeiouy")


def sounds_like_a_name(word: str) -> bool:
    if len(word) < SHORTEST or not word.isalpha() or not word.isascii() or "" in known_names().get(word, {}):
        return False
    return any(alike(word, name.words[0]) for name in names_by_sound().get(sound(word), ()))


def is_rare_word(ticker: str) -> bool:
    return RARE_WORD <= zipf_frequency(ticker, "en") < ORDINARY_WORD and not VOWELS.isdisjoint(ticker)


def main() -> None:
    words = [word for word in get_frequency_dict("en", "large") if zipf_frequency(word, "en") >= KNOWN_WORD]
    soundalikes = sorted(filter(sounds_like_a_name, words))
    tickers = sorted(filter(is_rare_word, (ticker.lower() for ticker in all_listings())))
    with TARGET.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for title, section in (
            ("ordinary words that sound like a name", soundalikes),
            ("rare words that are tickers", tickers),
        ):
            file.write(f"\n[{title}]\n{textwrap.fill(' '.join(section), 118)}\n")


if __name__ == "__main__":
    main()
