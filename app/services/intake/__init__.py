"""What a client sends, as rows: unpacked, cut, checked, reported."""
