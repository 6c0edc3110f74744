"""Entry: the runner process itself, or with `--worker <descriptor>` the process of one instance (docs/python.md)."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--worker"]:
        from nereid_runner.worker import run_worker

        run_worker(int(arguments[1]))
    else:
        from nereid_runner.supervisor import run_supervisor

        run_supervisor()


if __name__ == "__main__":
    main(sys.argv[1:])
