"""What functions of the user's are called with."""

from __future__ import annotations

import datetime
import decimal
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

SESSION = "SparkSession"


class Arguments:
    """Gives each parameter its value: the session, a table, a result that was kept, or what the caller has said.

    Attributes:
        used: the parameters for which the caller's values were taken.
    """

    def __init__(
        self, session: Any, tables: Callable[[str], Any | None], given: Mapping[str, Any], said: Mapping[str, Any]
    ) -> None:
        """
        Args:
            session: for a parameter that is called `spark` or `session`, or is annotated so.
            tables: the table of a name; None if there is none.
            given: results that were kept, by parameters.
            said: values, by parameters: texts become what the annotation, or the default, says.
        """
        self.session, self.tables, self.given, self.said = session, tables, given, said
        self.used: set[str] = set()

    def of(self, function: Any) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call. Raises ValueError, TypeError where a parameter is nothing that is known."""
        places: list[Any] = []
        names: dict[str, Any] = {}
        for parameter in inspect.signature(function).parameters.values():
            if parameter.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
                continue
            if parameter.default is not inspect.Parameter.empty and parameter.name not in self.said:
                continue
            value = self._value(parameter)
            if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
                places.append(value)
            else:
                names[parameter.name] = value
        return places, names

    def _value(self, parameter: inspect.Parameter) -> Any:
        name = parameter.name
        kind = _kind(parameter.annotation)
        if name in self.given:
            return self.given[name]
        if name in self.said:
            self.used.add(name)
            return as_said(name, self.said[name], kind, parameter.default)
        if name in ("spark", "session") or kind == SESSION:
            return self.session
        if name == "dbutils":
            return Utilities(self)
        table = self.tables(name)
        if table is not None:
            return table
        if kind == "DataFrame":
            raise ValueError(f"{name} is no table of the schema: say which by --source {name}=TABLE")
        raise ValueError(f"{name} is no table of the schema: give its value by --param {name}=VALUE")


class Utilities:
    """What notebooks call `dbutils`: its widgets are parameters."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        self.defaults: dict[str, Any] = {}
        self.widgets = self

    def get(self, name: str) -> Any:
        """The value of a widget, a text."""
        if name in self.arguments.said:
            self.arguments.used.add(name)
            return str(self.arguments.said[name])
        if name in self.defaults:
            return self.defaults[name]
        raise ValueError(f"the widget {name} has no value: give it by --param {name}=VALUE")

    def text(self, name: str, default: Any = "", *_: Any, **__: Any) -> None:
        """Makes a widget."""
        self.defaults.setdefault(name, default)

    dropdown = combobox = text


def _kind(annotation: Any) -> str:
    """The last name of an annotation: `date` of `datetime.date`, `int` of `int | None`."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    text = text.replace("Optional[", "").rstrip("]").split("|")[0].split("[")[0].strip()
    return "" if annotation is inspect.Parameter.empty else text.rpartition(".")[2]


def as_said(name: str, value: Any, kind: str, default: Any) -> Any:
    """A value as an annotation asks for it, or as the default is; a number without either. Raises ValueError."""
    if not isinstance(value, str):
        return value
    if not kind and default not in (inspect.Parameter.empty, None):
        kind = type(default).__name__
    try:
        if kind in READERS:
            return READERS[kind](value)
        return _number(value) if not kind else value
    except (ValueError, KeyError, ArithmeticError):
        raise ValueError(f"--param {name}={value} is no {kind}") from None


def _number(text: str) -> Any:
    try:
        return int(text) if str(int(text)) == text else text
    except ValueError:
        return text


READERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "bool": lambda text: {"true": True, "false": False, "1": True, "0": False}[text.lower()],
    "date": datetime.date.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "Decimal": decimal.Decimal,
    **dict.fromkeys(("list", "dict", "List", "Dict", "Sequence", "Mapping"), json.loads),
    **dict.fromkeys(("tuple", "Tuple"), lambda text: tuple(json.loads(text))),
    "set": lambda text: set(json.loads(text)),
}
"""How texts are read, by annotations."""
