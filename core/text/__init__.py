"""From texts to counts and weights of terms."""

from core.text.term_weights import TermMask, TermWeighting
from core.text.token_counter import TokenCounter
from core.text.vector_coding import vector_words

__all__ = ["TermMask", "TermWeighting", "TokenCounter", "vector_words"]
