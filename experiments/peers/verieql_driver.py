"""Asks VeriEQL about one pair, in an environment of its own: `PYTHON verieql_driver.py FOLDER < question.json`.

The question has `schema`, `constraint` and `pair` as VeriEQL's own files have them, and `rows`, the largest bound.
Each line of the answer is one bound, {"rows", "state", "seconds", "about"}: EQU, NEQ, or the name of the exception;
the first that is not EQU is the last. Seconds are of the processor, without the import of its modules. It imports
nothing of ours, so that any Python which VeriEQL runs in will do.
"""

import contextlib
import json
import sys
import time


def main(folder: str) -> None:
    """Answers the question on the standard input."""
    question = json.load(sys.stdin)
    answers = sys.stdout
    sys.path.insert(0, folder)
    with contextlib.redirect_stdout(sys.stderr):  # where it prints what it does
        from environment import Environment  # type: ignore[import-not-found]

        for rows in range(1, question["rows"] + 1):
            started = time.process_time()
            state, about = _answer(Environment, question, rows)
            seconds = time.process_time() - started
            answer = {"rows": rows, "state": state, "seconds": seconds, "about": about}
            print(json.dumps(answer), file=answers, flush=True)
            if state != "EQU":
                return


def _answer(environment, question, rows: int) -> tuple[str, str]:  # type: ignore[no-untyped-def]
    """As its own command line asks: texts in capitals, an exception for queries that it tells apart by their form."""
    try:
        with environment(timer=True, generate_code=True) as asked:
            for name, columns in question["schema"].items():
                asked.create_database(columns, bound_size=rows, name=name)
            asked.add_constraints(question["constraint"])
            asked.save_checkpoints()
            asked.reload_checkpoints()
            return ("EQU" if asked.analyze(*question["pair"]) is True else "NEQ"), ""
    except Exception as error:
        kind = type(error).__name__
        return ("NEQ", "") if kind == "NotEquivalenceError" else (kind, str(error)[:200])


if __name__ == "__main__":
    main(sys.argv[1])
