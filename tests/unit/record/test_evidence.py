"""The words around a quote: three sentences on each side, or forty words where nobody set a full stop."""

from functions.reading.transcripts import Transcript
from functions.record.reviews.evidence import MAX_CHARACTERS, Surroundings, surroundings

SENTENCES = [f"Sentence {number} ends here{mark}" for number, mark in enumerate(".!?.…....")]
TEXT = " ".join([*SENTENCES[:5], "I buy Apple today.", *SENTENCES[5:]])


def around(text: str, quote: str, start_seconds: int | None = None) -> Surroundings:
    return surroundings(Transcript(text, "demo"), quote, start_seconds)


def test_a_whole_sentence_has_three_before_it_and_three_after_it() -> None:
    found = around(TEXT, "I buy Apple today.")

    assert found == Surroundings(" ".join(SENTENCES[2:5]), " ".join(SENTENCES[5:8]))


def test_a_part_of_a_sentence_has_the_rest_of_it_as_well() -> None:
    found = around(TEXT, "buy Apple")

    assert found == Surroundings(f"{' '.join(SENTENCES[2:5])} I", f"today. {' '.join(SENTENCES[5:8])}")


def test_at_the_ends_of_a_transcript_there_is_what_there_is() -> None:
    assert around("I buy Apple.", "I buy Apple.") == Surroundings("", "")
    assert around("Hello. I buy Apple. Bye.", "I buy Apple.") == Surroundings("Hello.", "Bye.")


def test_captions_without_punctuation_give_forty_words() -> None:
    words = " ".join(f"w{number}" for number in range(400))

    found = around(words, "w200 w201")

    assert found.before == " ".join(f"w{number}" for number in range(160, 200))
    assert found.after == " ".join(f"w{number}" for number in range(202, 242))


def test_no_more_is_shown_than_can_be_read() -> None:
    long = f"{'a' * 100_000}. {'word ' * 1000}I buy Apple {'word ' * 1000}. {'b' * 100_000}"

    found = around(long, "I buy Apple")

    assert found.before is not None and found.after is not None
    assert max(len(found.before), len(found.after)) <= MAX_CHARACTERS


def test_of_several_places_it_is_the_one_at_its_second() -> None:
    pieces = [(0.0, "First. Buy it."), (60.0, "Second. Buy it."), (120.0, "Third. Buy it.")]
    transcript = Transcript.of_pieces(pieces, "youtube")

    assert surroundings(transcript, "Buy it.", 60).before == "First. Buy it. Second."
    assert surroundings(transcript, "Buy it.", 7).before == "First."
    assert surroundings(transcript, "Buy it.", None).before == "First."


def test_there_is_nothing_around_what_is_not_there() -> None:
    nothing = Surroundings(None, None)

    assert around(TEXT, "I sell Apple") == nothing
    assert around(TEXT, "") == nothing
    assert surroundings(None, "I buy Apple", 3) == nothing
