"""The image, as far as it can be tried without Docker."""

import json
import os
import re
import subprocess
import sys
from urllib.parse import urlsplit

from tests.app.databases import on_sqlite
from tests.app.processes import PATIENCE, ROOT


@on_sqlite
def test_the_health_check_asks_no_proxy(served_url: str) -> None:
    (check,) = re.findall(
        r"^HEALTHCHECK .*\\\n +CMD (.+)$", (ROOT / "Dockerfile").read_text(), re.M
    )
    _, *arguments = json.loads(check)
    # Docker hands the proxies of its client's settings to each container.
    nowhere = dict.fromkeys(("http_proxy", "HTTP_PROXY"), "http://127.0.0.1:9")
    environment = {**os.environ, **nowhere, "no_proxy": "", "NO_PROXY": ""}

    for port, is_well in ((urlsplit(served_url).port, True), (9, False)):
        environment["SEEDBED_PORT"] = str(port)
        ended = subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, timeout=PATIENCE
        )
        assert (ended.returncode == 0) is is_well
