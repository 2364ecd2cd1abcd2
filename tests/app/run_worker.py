"""A worker in a process of its own that does the work of ``job_runners``."""

import signal

from app.logs import configure_logging
from app.settings import Settings
from app.worker.worker import Worker

if __name__ == "__main__":
    settings = Settings.from_environment()
    configure_logging(settings)
    worker = Worker(settings, ["tests.app.job_runners"])
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()
