"""What the fork server of the worker loads once for all jobs, besides the libraries.

The first count of known terms by compiled code takes a quarter of a second.
Each child runs ``app.cli`` anew where that is what the worker was started with: what it imports is
loaded here, but not the module itself, as runpy warns of a module that is run after its import.
"""

from app.commands import client_commands  # noqa: F401 - loaded for the children
from app.warm_up import warm_up
from core.kernels.tokens.counts import FEW_BYTES
from core.text import TokenCounter

# So many bytes that plain Python does not count them.
TokenCounter().fit([b"word"]).transform([b"word " * (FEW_BYTES // 4)])
warm_up()
