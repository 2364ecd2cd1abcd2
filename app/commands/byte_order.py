"""UTF-16 without the mark that tells the order of its bytes: what it holds tells it, too."""

import codecs
from string import ascii_lowercase

MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
ORDERS = ("utf-16-le", "utf-16-be")
#: Most texts have some of the first; with their bytes exchanged hardly any text has them. Single
#: words have some of the others, which exchanged are Chinese characters.
USUAL = ("\t\n\r ,;", ascii_lowercase)


def with_byte_order(charset: str, head: bytes) -> str:
    """Return UTF-16 with the order of its bytes, as the beginning of a text tells it.

    What begins with a mark, and any other charset, stays as it is. Python would take the order of
    the machine.

    Raises
    ------
    UnicodeError
        If the text is not in UTF-16, or tells no order.
    """
    if codecs.lookup(charset).name != "utf-16" or not head or head.startswith(MARKS):
        return charset
    for characters in USUAL:
        little, big = (_n_times(characters, head.decode(order, "replace")) for order in ORDERS)
        if little != big:
            return ORDERS[little < big]
    raise UnicodeError("no order of bytes")


def _n_times(characters: str, text: str) -> int:
    return sum(map(text.count, characters))
