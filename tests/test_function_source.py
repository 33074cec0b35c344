"""A function's source: its text, its tree, and edits of it."""

import ast
import functools

import pytest

from toolbench.function_source import Edit, function_source, source_text, syntax_tree


def plain(x, y=2):
    """What it is for."""
    return {"größe": "日本語", "sum": x + y + 10}


async def waiting(x):
    # A comment stays.
    return await x


class Shop:
    @staticmethod
    @functools.cache
    def tax(x):
        return {"text": """Dear
    sir""", "tax": x * 10}  # fmt: skip


def constants(function, value):
    """The nodes of a constant in a function's body."""
    source = function_source(function)
    return [node for node in source.nodes() if isinstance(node, ast.Constant) and node.value == value]


def test_the_text_from_its_def_on():
    """Comments stay; a coroutine function is a function too."""
    assert source_text(waiting) == "async def waiting(x):\n    # A comment stays.\n    return await x\n"
    assert isinstance(function_source(waiting).tree, ast.AsyncFunctionDef)


def test_decorators_are_no_part_of_the_text():
    """The text begins with the `def`, and stands as it would in a module."""
    tax = Shop.tax.__wrapped__
    assert source_text(tax).startswith("def tax(x):\n")
    assert function_source(tax).text.startswith("    def tax(x):\n")
    assert function_source(tax).tree.decorator_list == []


def test_what_has_no_source():
    """A built-in, a lambda, a partial and what exec made have none."""
    made = {}
    exec("def f(x):\n    return x\n", made)
    for function in (len, lambda x: x, functools.partial(plain, 1), made["f"], Shop):
        assert function_source(function) is None
        assert source_text(function) is None


def test_a_file_that_is_another_by_now(tmp_path, monkeypatch):
    """Where the file no longer holds the function, there is no source, and no error."""
    path = tmp_path / "gone.py"
    path.write_text("x = 1\n\n\ndef f(x):\n    return x\n")
    made = {}
    exec(compile(path.read_text(), str(path), "exec"), made)
    path.write_text("")
    assert function_source(made["f"]) is None


def test_nodes_come_in_the_order_of_the_text():
    """The body's nodes from top to bottom; parameters and their defaults are not among them."""
    values = [node.value for node in function_source(plain).nodes() if isinstance(node, ast.Constant)]
    assert values == ["What it is for.", "größe", "日本語", "sum", 10]


def test_the_inside_of_f_strings_is_left_out():
    """What stands inside an f-string has no place of its own."""

    def say(x):
        return {"text": f"{x + 10} of 10", "limit": 10}

    assert len(constants(say, 10)) == 1


def test_edits_change_their_place_and_nothing_else():
    """Places are counted in bytes, and edits of one line do not shift each other."""
    source = function_source(plain)
    [wide], [ten] = constants(plain, "日本語"), constants(plain, 10)
    edited = source.edited([Edit(ten, "20"), Edit(wide, "'ö'")])
    assert edited == source.text.replace('"日本語"', "'ö'").replace("10", "20")
    assert source.edited([]) == source.text


def test_an_edit_over_several_lines():
    """A text that spans lines goes as a whole, in an indented function too."""
    tax = Shop.tax.__wrapped__
    [letter] = constants(tax, "Dear\n    sir")
    assert '"text": "Hello", "tax"' in function_source(tax).edited([Edit(letter, '"Hello"')])


@pytest.mark.parametrize("text", ["def f(x):\n    return 1\n", "    def f(x):\n        return 1\n"])
def test_the_tree_of_a_text_indented_or_not(text):
    """The tree's lines are those of the text."""
    tree = syntax_tree(text)
    assert (tree.name, tree.lineno, tree.body[0].lineno) == ("f", 1, 2)


def test_the_indentation_of_a_text_is_part_of_it():
    """Taking the indentation away would change texts over several lines."""
    tree = syntax_tree('    def f():\n        return """a\n        b"""\n')
    assert tree.body[0].value.value == "a\n        b"


def test_a_text_that_is_no_function():
    """The tree of a class or an assignment is none."""
    assert syntax_tree("class F:\n    pass\n") is None
    assert syntax_tree("x = 1\n") is None
