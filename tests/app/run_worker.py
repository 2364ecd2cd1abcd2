"""A worker in a process of its own that does the work of ``job_runners``."""

import signal

from app.settings import Settings
from app.worker import Worker

if __name__ == "__main__":
    worker = Worker(Settings.from_environment(), runners="tests.app.job_runners")
    signal.signal(signal.SIGTERM, lambda *_: worker.stop())
    worker.run()
