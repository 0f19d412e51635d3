"""What goes wrong, said in the person's language.

Whatever knows no screen (p2p, ai, core, argparse) says it in English.  The same sentences, with
gaps where values are, stand in `locales/errors.en.toml`; a sentence that fits one of them is said
again from the file of the person's language, with the same values.  What fits none stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from string import Formatter
from typing import TYPE_CHECKING, Final

from ui.language.text import Words, load

if TYPE_CHECKING:
    from ui.port import PublishNews, UiNews

SECTION: Final = "error."
GAPS_INSIDE: Final = ("why", "complaint", "what")  # What fills these is a sentence of its own.
_MEANT: Final = re.compile(r" \(did you mean ([^?]+)\?\)")  # See `core.game.did_you_mean`.


def translate_error(words: Words, sentence: str) -> str:
    """The sentence, or several with semicolons between, in the language of `words`.

    >>> translate_error(load("ko"), "no such sentence")
    'no such sentence'
    """
    if words.code == "en" or not sentence:
        return sentence
    meant = _MEANT.search(sentence)
    if meant:
        rest = sentence[: meant.start()] + sentence[meant.end() :]
        return translate_error(words, rest) + words("usage.near", near=meant[1])
    found = _known(sentence)
    if found is None:
        return sentence
    key, values = found
    inside = {gap: translate_error(words, values[gap]) for gap in GAPS_INSIDE if gap in values}
    return words(key, **values | inside)


def error_sentence(words: Words, sentence: str) -> str:
    """The same where it stands alone: with a capital, but where a name or a file comes first.

    >>> error_sentence(load("en"), "the table is busy")
    'The table is busy'
    >>> error_sentence(load("en"), "ada does not agree to go back")
    'ada does not agree to go back'
    """
    said, found = translate_error(words, sentence), _known(_MEANT.sub("", sentence))
    if found is None or words.sentences[found[0]].startswith("{"):
        return said
    return said[:1].upper() + said[1:]


def in_language(publish: PublishNews, said_in: Callable[[], Words]) -> PublishNews:
    """`publish`, where what a person has to know is said in the language that is chosen then."""
    from p2p.session.news import Accused, BotEnded, Notice

    def translate_and_publish(news: UiNews) -> None:
        words = said_in()
        match news:
            case Notice(text, hint):
                news = replace(
                    news, text=error_sentence(words, text), hint=translate_error(words, hint)
                )
            case Accused(sentence=sentence):
                news = replace(news, sentence=translate_error(words, sentence))
            case BotEnded(reason=reason):
                news = replace(news, reason=translate_error(words, reason))
        publish(news)

    return translate_and_publish


def error_line(words: Words, error: BaseException) -> str:
    """What went wrong and what to do, on one line, behind the name of the program."""
    return _with_hint(words, translate_error(words, str(error)), error)


def error_text(words: Words, error: BaseException) -> str:
    """The same where it stands alone, on a screen or among lines of text."""
    return _with_hint(words, error_sentence(words, str(error)), error)


def _with_hint(words: Words, said: str, error: BaseException) -> str:
    hint = translate_error(words, getattr(error, "hint", ""))
    return " ".join(words.parted([said, hint]).splitlines())


def _known(sentence: str) -> tuple[str, dict[str, str]] | None:
    """The key of a sentence of ours, and what fills its gaps."""
    for key, pattern in _patterns():
        found = pattern.fullmatch(sentence)
        if found:
            return key, found.groupdict()
    return None


@lru_cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Every English sentence as a pattern, those with the most letters of their own first."""
    found = [
        (key, sentence) for key, sentence in load("en").sentences.items() if key.startswith(SECTION)
    ]
    found.sort(key=lambda each: -sum(len(literal) for literal, *_ in Formatter().parse(each[1])))
    patterns = ((key, "".join(_pieces(sentence))) for key, sentence in found)
    return tuple((key, re.compile(pattern, re.DOTALL)) for key, pattern in patterns)


def _pieces(sentence: str) -> Iterator[str]:
    met = set[str]()
    for literal, gap, _, _ in Formatter().parse(sentence):
        yield re.escape(literal)
        if gap:
            yield f"(?P={gap})" if gap in met else f"(?P<{gap}>.+?)"
            met.add(gap)
