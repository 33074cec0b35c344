"""Reading: all that can be said of a tool without calling it."""

from __future__ import annotations

from collections.abc import Iterator

from toolbench.checking.examples import examples
from toolbench.checking.finding import Finding, found
from toolbench.checking.nodes import Declaration
from toolbench.checking.signature import signature
from toolbench.checking.source import Source
from toolbench.checking.structure import structure
from toolbench.checking.wording import wording
from toolbench.definition import Definition
from toolbench.scenario import Scenario


def read(declaration: Declaration, source: Source | None) -> Iterator[Finding]:
    """The findings on a declaration, and on the function behind it if there is one."""
    yield from structure(declaration)
    yield from examples(declaration)
    yield from wording(declaration)
    output = declaration.definition.output_schema
    if output is not None:
        yield from _of_output(declaration.definition)
    if source is not None:
        yield from signature(declaration, source)


def _of_output(definition: Definition) -> Iterator[Finding]:
    """The same of the declared output, as far as it is read alike."""
    output = Declaration(Definition(definition.name, definition.output_schema or {}, "its output"))
    for finding in (*structure(output), *examples(output), *wording(output)):
        if finding.pointer not in ("/name", "/type"):
            yield found(finding.code, finding.tool, f"/outputSchema{finding.pointer}", finding.seen, cure=finding.cure)


def of_suite(declaration: Declaration, scenario: Scenario) -> Iterator[Finding]:
    """Cases that are to be answered, with arguments that the declaration refuses: which the suite holds right."""
    name = declaration.definition.name
    for case in scenario.suite:
        if case.tool != name or case.expects_error:
            continue
        fault = declaration.validators.fault(dict(case.arguments))
        if fault is not None:
            text = f"case {case.id} is to be answered, and the declaration refuses its arguments: {fault}"
            yield found("case-refused", name, "", text, input=case.arguments)
