"""A worker in a process of its own that does the work of ``job_runners``."""

import signal

from app.logs import configure_logging
from app.settings import Settings
from app.worker import job_process
from app.worker.worker import Worker

RUNNERS = "tests.app.job_runners"

if __name__ == "__main__":
    settings = Settings.from_environment()
    configure_logging(settings)
    job_process.prepare([RUNNERS])
    worker = Worker(settings, RUNNERS)
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()
