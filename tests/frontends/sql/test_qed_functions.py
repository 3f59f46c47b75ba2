"""Names of functions that a plan has lost come from the text beside it, where this tells which call is which."""

import pytest
from tallystick.frontends.sql.qed.functions import Names, names


def call(*operands):
    return {"operator": "FUNCTION", "operand": [{"operator": "SCALAR LIST", "operand": list(operands)}]}


COLUMN = {"column": 0, "type": "INT"}
NO_NAMES = Names({}, None)


@pytest.mark.parametrize(
    ("text", "plan", "functions"),
    [
        (" └── length(a.s:4 || 'foo(') [as=r:8, outer=(1), immutable]", call(COLUMN), {1: "length"}),
        (" ├── stats: [rows=1, distinct(2)=1]\n └── lpad(s:4, 5)", call(COLUMN, COLUMN), {2: "lpad"}),
        (" └── function: abs [type=int]\n      └── variable: x:1", call(COLUMN), {1: "abs"}),
        (" └── f(a:1, g(b:2)) > 0", call(COLUMN, call(COLUMN)), {2: "f", 1: "g"}),
        (" └── (f(a:1) > 1) AND (f(b:2) < 2)", [call(COLUMN), call(COLUMN)], {1: "f"}),
        (" ├── multiplicity: left-rows(one-or-more)\n └── f()", call(), {0: "f"}),
    ],
)
def test_the_number_of_arguments_tells_which_call_is_which(text, plan, functions):
    assert names(text, plan) == Names(functions, None)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        (" └── (f(a:1) > 1) AND (g(b:2) < 2)", [call(COLUMN), call(COLUMN)]),  # which is which?
        (" └── f(a:1) > 1", [call(COLUMN), call(COLUMN)]),  # another number of calls
        (" └── f(a:1, b:2) > g(a:1)", [call(COLUMN), call(COLUMN)]),  # other numbers of arguments
        (" ├── volatile\n └── random(a:1) > 1 [outer=(2), volatile]", call(COLUMN)),
        (" ├── immutable, volatile\n └── random(a:1) > 1", call(COLUMN)),
        (" └── f(a:1 > 1", [call(COLUMN), call(COLUMN, COLUMN)]),
        ("", call(COLUMN)),
    ],
)
def test_where_the_text_does_not_tell_there_are_no_names(text, plan):
    assert names(text, plan) == NO_NAMES


def test_a_parameter_has_a_name_if_there_is_only_one():
    assert names(" └── $1 < '$2'", {}) == Names({}, "$1")
    assert names(" └── $1 < $2", {}) == NO_NAMES
