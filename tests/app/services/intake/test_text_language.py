import pytest

from app.services.intake.text_language import MAX_CHARACTERS, MAX_WORDS, TextLanguage

#: One word of three is a function word, of German alone.
GERMAN = "Hochwasser steigt und "
#: The same of English, with a word of German.
ENGLISH = "flood in the river rises was "


def warning(project: str, *texts: str) -> str | None:
    language = TextLanguage(project)
    for text in texts:
        language.look_at(text)
    return language.warning("7a")


def test_function_words_tell_another_language() -> None:
    told = warning("english", *[GERMAN] * 34)
    assert told is not None
    assert told.startswith("The texts look German: 33% of their words are function words of it, ")
    assert "and 0% of English" in told
    assert "language=german with PATCH /projects/7a; for the command, seedbed change 7a" in told


@pytest.mark.parametrize(
    ("texts", "project"),
    [
        ([GERMAN] * 34, "german"),
        ([ENGLISH] * 34, "english"),
        # Which language has these function words is not known.
        ([GERMAN] * 34, "other"),
        # Too few words, or too few function words: tags, names, a language without a list.
        ([GERMAN] * 33, "english"),
        ([GERMAN, *["Hochwasser steigt"] * 99], "english"),
        # As much of the one as of the other.
        ([GERMAN, ENGLISH] * 34, "english"),
        ([], "english"),
    ],
)
def test_nothing_is_told_unless_it_is_sure(texts: list[str], project: str) -> None:
    assert warning(project, *texts) is None


def test_the_beginning_of_an_upload_counts() -> None:
    n_texts = -(-MAX_WORDS // 3)
    assert warning("english", *[GERMAN] * n_texts, *[ENGLISH] * 10 * n_texts)
    assert warning("english", *[ENGLISH] * n_texts, *[GERMAN] * 10 * n_texts) is None
    long = GERMAN * (MAX_CHARACTERS // len(GERMAN)) + "the " * 9_999
    assert warning("english", *[long] * 5)
