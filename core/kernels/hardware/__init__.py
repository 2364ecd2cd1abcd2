"""What the processor does at a time: vector registers, threads, fetching ahead."""
