"""Seconds of each stage of a training through the service, on 20 newsgroups.

One group is positive, 20 seeds; the second training reads the counted documents from the cache.
"""

import argparse
import random
from pathlib import Path

from benchmarks import service
from benchmarks.collections import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the collections")
    parser.add_argument("--collection", default="20newsgroups")
    parser.add_argument("--positive", default="sci.space")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--algorithms", nargs="+", default=["lgn", "nmfpul", "lp_pul", "prototype"])
    arguments = parser.parse_args()

    ids, texts, labels = load(arguments.collection, arguments.data)
    members = [i for i, label in enumerate(labels) if label == arguments.positive]
    seeds = set(random.Random(0).sample(members, arguments.seeds))
    documents = [{"id": name, "text": text} for name, text in zip(ids, texts, strict=True)]
    with service.client() as connection:
        project_id = service.create_project(
            connection,
            [documents[i] for i in sorted(seeds)],
            [document for i, document in enumerate(documents) if i not in seeds],
        )
        print(f"{arguments.collection}: {len(documents):,} documents, {len(seeds)} seeds")
        header = None
        for algorithm in arguments.algorithms:
            model = service.train(connection, project_id=project_id, algorithm=algorithm)
            stages = model["seconds"]
            if header is None:
                header = list(stages)
                print("| algorithm | " + " | ".join(header) + " | counted |")
                print("|---" * (len(header) + 2) + "|")
            origin = "from the cache" if model["matrix"]["cached"] else "anew"
            cells = [f"{stages[stage]:.2f}" for stage in header]
            print(f"| {algorithm} | " + " | ".join(cells) + f" | {origin} |")


if __name__ == "__main__":
    main()
