"""The one shape of what commands print with `--json`: keys that all have, and those of some, as JSON Schema."""

from __future__ import annotations

from typing import Any, Final

from tallystick.showing import COLOURS

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
TEXTS: Final[Schema] = {"type": "array", "items": TEXT}
FLAG: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "number"}
COUNT: Final[Schema] = {"type": "integer"}
COUNTS: Final[Schema] = {"type": "object", "additionalProperties": COUNT}
BY_NAME: Final[Schema] = {"type": "object", "additionalProperties": TEXT}
ANY: Final[Schema] = {"type": ["array", "boolean", "null", "number", "object", "string"]}
OBJECTS: Final[Schema] = {"type": "array", "items": {"type": "object"}}


def optional(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def record(**properties: Schema) -> Schema:
    """An object with these keys and no others."""
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


SCALAR: Final[Schema] = {"type": ["boolean", "integer", "null", "string"]}
CALL: Final = record(call=TEXT)
"""The value of a function that nothing computes."""
ROWS: Final = record(
    name=TEXT,
    columns={"type": "array", "items": record(name=TEXT, type=TEXT)},
    rows={"type": "array", "items": {"type": "array", "items": {"anyOf": [SCALAR, CALL]}}},
)
"""A table: NULL is null; decimals, dates and moments are texts, as SQL writes them."""
VALUE: Final = record(name=TEXT, value=ANY)
"""A parameter of a program, or what a program returns; {"raises": …} where it raises."""
WITNESS: Final = record(
    inputs={"type": "array", "items": {"anyOf": [ROWS, VALUE]}},
    outputs={"type": "array", "items": {"anyOf": [ROWS, VALUE]}},
)
ERROR: Final = record(
    code=TEXT,
    message=TEXT,
    path=optional(TEXT),
    line=optional(COUNT),
    column=optional(COUNT),
    hint=optional(TEXT),
)

COMMON: Final[dict[str, tuple[Schema, str]]] = {
    "command": (TEXT, "which command answers"),
    "verdict": ({"enum": [*COLOURS, "error"]}, "the answer; `error` for bad input"),
    "programs": (TEXTS, "what was asked about: queries, functions, versions or certificates, by their names"),
    "seconds": (optional(NUMBER), "how long it took"),
    "assumptions": (TEXTS, "what the answer assumes: labels of the reference, or sentences"),
    "notes": (TEXTS, "what else was seen"),
    "witness": (optional(WITNESS), "an input, and what both return there"),
    "error": (optional(ERROR), "what is wrong, with its place in a text"),
}
"""The keys that each answer has."""
OWN: Final[dict[str, tuple[Schema, str, str]]] = {
    "accepted": (FLAG, "audit", "whether the claim holds"),
    "as_sets": (FLAG, "check", "of RDDs: whether sets of elements are compared, not bags"),
    "calls": (COUNT, "dataflow changes", "how often the prover was asked"),
    "certificate": (
        optional(TEXT),
        "check machine",
        "the certificate; of queries, `--certificate` has it",
    ),
    "certificate_bytes": (COUNT, "check", "of DataFrames: the size of the certificates"),
    "certified": (FLAG, "dataflow changes", "whether there is a certificate of all answers"),
    "claim": (TEXT, "audit", "the claim in words"),
    "claimed": (TEXT, "audit", "equivalent or inequivalent, as claimed"),
    "class": (TEXT, "check", "of RDDs: the class of the pair"),
    "columns": (BY_NAME, "check", "of queries: the answer for each column, if asked for"),
    "complete": (FLAG, "check", "of RDDs: whether a method that decides every pair of the class was applied"),
    "counterexample_size": (optional(COUNT), "machine", "how many elements the counterexample has"),
    "coverage": (
        {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": TEXTS}},
        "dataflow changes",
        "for each version, the models that are known by their texts alone, by the cause",
    ),
    "counts": (COUNTS, "dataflow changes", "how many models have which answer"),
    "dialect": (TEXT, "check dataflow changes", "the dialect of SQL"),
    "engine": (TEXT, "check", "of a misreading: the engine that contradicts"),
    "interrupted": (FLAG, "dataflow changes", "whether an interrupt left models unknown"),
    "invariant": (TEXTS, "machine", "why it never halts, case by case"),
    "loaded": (TEXTS, "audit", "modules that were loaded for this certificate"),
    "method": (TEXTS, "check machine", "the methods that found the answer, outermost first"),
    "missing": (TEXTS, "check", "of queries: constraints under which they would be equivalent"),
    "no_one_value": (OBJECTS, "check", "of RDDs: folds that depend on partitions"),
    "operators": (optional({"type": "array", "items": COUNT}), "check", "of DataFrames: how many operators both have"),
    "oracles": (TEXTS, "check audit", "solvers whose word the answer rests on"),
    "parts": (OBJECTS, "check", "of DataFrames: the answers about each, where functions make several"),
    "phases": ({"type": "object", "additionalProperties": NUMBER}, "check", "of RDDs: seconds by phase"),
    "problem": (TEXT, "check", "of a misreading: what is wrong"),
    "read_as": (
        {"type": "array", "items": optional(ROWS)},
        "check",
        "of a misreading: what was read as returned",
    ),
    "reason": (TEXT, "audit", "the step that failed and why, or that all hold"),
    "reasons": (BY_NAME, "check machine", "why each way that was tried gave no answer"),
    "rebuild": (TEXTS, "dataflow changes", "models to be built again"),
    "rename": (BY_NAME, "dataflow changes", "models that hold what one of another name held"),
    "replayed_on": (TEXTS, "check machine", "where the witness was run"),
    "reports": (OBJECTS, "lint", "for each program its folds, with their places and witnesses"),
    "rules": (COUNTS, "check audit", "what the proof uses, and how often"),
    "script": (TEXT, "check", "of a misreading: the statements that make the database"),
    "semantics": (TEXT, "check audit", "what folds mean, or `sql`"),
    "solver_calls": (COUNT, "check", "of RDDs: how often a solver was asked"),
    "steps_simulated": (COUNT, "machine", "steps of the simulation"),
    "steps_to_halting": (optional(COUNT), "machine", "steps until it halts"),
    "switches": (BY_NAME, "check", "of queries: how the dialect reads texts"),
    "switches_to": (BY_NAME, "check", "of queries in two dialects: how that of the right text reads it"),
    "texts": (TEXT, "audit", "whether the claim was compared with texts"),
    "to": (TEXT, "check", "of queries in two dialects: that of the right text"),
    "translations": (OBJECTS, "transpile", "the answer about each statement, with its text and its translation"),
    "trials": (TEXTS, "check", "of RDDs: on how many inputs the reading was tried"),
    "tried": (optional({"type": "object"}), "check", "on how many databases an engine returned what was read"),
    "types": (BY_NAME, "check", "of queries in two dialects: what becomes of the types of columns"),
    "unread": (OBJECTS, "lint", "functions and files that cannot be read, with places"),
    "wires": (OBJECTS, "dataflow changes", "the answer about each model, with its witness, reason, and what it reads"),
}
"""The keys of some commands: their schema, the commands, and what they say."""


def schema(command: str | None = None) -> Schema:
    """The JSON Schema of answers; of those of one command, if it is given."""
    own = {
        key: {**each, "description": said} for key, (each, of, said) in OWN.items() if command in (None, *of.split())
    }
    common = {key: {**each, "description": said} for key, (each, said) in COMMON.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a command of Tallystick answers",
        "type": "object",
        "properties": {**common, **own},
        "required": [*COMMON],
        "additionalProperties": False,
    }


def answer(command: str, content: dict[str, Any]) -> dict[str, Any]:
    """Content as an answer: the keys that all have come first, empty where the content has none."""
    empty: dict[str, Any] = {"programs": [], "seconds": None, "assumptions": [], "notes": [], "witness": None}
    return {"command": command, "verdict": "error", **empty, "error": None, **content}
