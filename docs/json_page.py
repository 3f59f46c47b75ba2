"""What commands print with `--json`, by the schema of answers."""

from __future__ import annotations

import json

from tables import code, table
from tallystick.answers import COMMON, OWN, ROWS, VALUE, schema

EXAMPLE = """{
  "inputs": [
    {"name": "t", "columns": [{"name": "a", "type": "integer"}], "rows": [[1], [null]]}
  ],
  "outputs": [
    {"name": "old.sql", "columns": [{"name": "n", "type": "integer"}], "rows": [[2]]},
    {"name": "new.sql", "columns": [{"name": "n", "type": "integer"}], "rows": [[1]]}
  ]
}"""


def schema_file() -> str:
    """The schema of all answers, as a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def json_page() -> str:
    """The keys of answers."""
    common = ([code(key), said] for key, (_, said) in COMMON.items())
    own = ([code(key), commands.replace(" ", ", "), said] for key, (_, commands, said) in OWN.items())
    verdicts = ", ".join(map(code, COMMON["verdict"][0]["enum"]))
    return "\n\n".join(
        [
            "JSON",
            "With `--json`, a command prints one object on standard output, `audit` one for each certificate, a line "
            "each. All have one shape: [answer.schema.json](answer.schema.json) is its JSON Schema. Bad input is an "
            "answer, too: `verdict` is `error`, and `error` has a code ([errors](errors.md)), the message and its "
            "place; people find the message on standard error. For output that cannot be written there is no answer.",
            "## Keys that all answers have",
            table(("key", "what it says"), common),
            f"Verdicts: {verdicts}.",
            "## The witness",
            "Tables have "
            f"{', '.join(map(code, ROWS['required']))}. NULL is `null`, integers, truth values and texts are those of "
            "JSON; decimals, dates and moments are texts, as SQL writes them. For programs on RDDs the items have "
            f"{', '.join(map(code, VALUE['required']))}.",
            f"```json\n{EXAMPLE}\n```",
            "## Keys of some commands",
            table(("key", "commands", "what it says"), own),
        ]
    )
