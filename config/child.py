"""A process that the supervisor keeps: started, mourned, started again, ended with whatever it forked."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

from config.house import ROOT, HouseError

# Seconds between a death and the next start: doubled at each death, until a process has lived a minute.
BACK_OFF = (0.25, 30.0, 60.0)


@dataclass(slots=True)
class Child:
    """One process of the house. Its process group holds whatever it forks."""

    name: str
    module: list[str]
    niceness: int = 0
    fds: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    born: float = 0.0
    wait: float = field(default=BACK_OFF[0])
    due: float = 0.0

    def start(self) -> None:
        """Start the process. Raises HouseError where the machine gives none; it is due again some time later."""
        self.born = time.monotonic()
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.lifeline", *self.module],
                stdin=subprocess.PIPE,
                cwd=ROOT,
                pass_fds=self.fds,
                start_new_session=True,
                preexec_fn=functools.partial(os.nice, self.niceness),
            )
        except OSError as error:
            self.mourn()
            raise HouseError(f"{self.name} cannot be started: {error.strerror}.") from error

    def died(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def mourn(self) -> None:
        """After a death: end what it forked, and say when the next start is due."""
        lived = time.monotonic() - self.born
        self.kill()
        self.wait = BACK_OFF[0] if lived > BACK_OFF[2] else min(self.wait * 2, BACK_OFF[1])
        self.due = time.monotonic() + self.wait

    def terminate(self) -> None:
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()

    def kill(self) -> None:
        """End the process and its whole group, now."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdin:
            process.stdin.close()

    def finish(self, deadline: float) -> None:
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, deadline - time.monotonic()))
        self.kill()
