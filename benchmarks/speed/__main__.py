"""Speed and memory of ``core``, each as a ratio against a named peer in the same run.

One table for each aim; "met" says whether its figure is reached. Compiled code is warmed up on a
few rows first, so that no table counts compilation. What is given a limit of memory, or whose
memory is measured, runs in a fresh process. The peers are scikit-learn, and pulearn 0.2.0 where it
can be imported: ``pip install --no-deps --target PEER pulearn==0.2.0``, then ``PYTHONPATH=PEER``.
"""

import argparse
import os
import tempfile
from pathlib import Path

from benchmarks.speed import (
    graphs,
    linear_time,
    memory,
    neighbors,
    nmf,
    one_class_svm,
    pulearn_peer,
)

AIMS = {
    "nmf": nmf.run,
    "neighbors": neighbors.run,
    "graphs": graphs.run,
    "one_class_svm": one_class_svm.run,
    "linear_time": linear_time.run,
    "pulearn": pulearn_peer.run,
    "memory": memory.run,
}
#: Load average above which other work disturbs the figures.
QUIET = 0.5


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--only", nargs="+", choices=AIMS, default=list(AIMS), metavar="NAME")
    arguments = parser.parse_args()

    load = os.getloadavg()[0]
    print(f"Load average {load:.2f}, {os.cpu_count()} cores.", end=" ")
    print("" if load <= QUIET else "WARNING: other work disturbs the figures.", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.only:
            print(f"\n## {name}\n", flush=True)
            AIMS[name](arguments.data, Path(folder))


if __name__ == "__main__":
    main()
