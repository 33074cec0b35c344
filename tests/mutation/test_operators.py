"""The operators by name."""

import pytest

from toolbench.mutation import contract, definition, value
from toolbench.mutation.operators import OPERATORS


def test_all_operators_are_there_once():
    """Every operator of every class's file is found under its own name."""
    listed = [operator for file in (value, contract, definition) for operator in file.OPERATORS]
    assert list(OPERATORS.values()) == listed
    assert [operator.name for operator in listed] == list(OPERATORS)


@pytest.mark.parametrize(("file", "class_"), [(value, "value"), (contract, "contract"), (definition, "definition")])
def test_a_file_holds_one_class(file, class_):
    """The operators of a file have its class as their usual one."""
    assert {operator.classes[0] for operator in file.OPERATORS} == {class_}


def test_operators_cannot_be_changed():
    """The operators are one fixed mapping."""
    with pytest.raises(TypeError):
        OPERATORS["new"] = None
