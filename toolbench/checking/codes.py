"""The codes of findings: how severe each is, why an agent would suffer, and what would cure it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Code:
    """What a code stands for. severity: the usual one; a finding may have a lower one where less was seen."""

    severity: str
    why: str
    cure: str


CODES: Mapping[str, Code] = MappingProxyType(
    {
        "stdout-noise": Code(
            "warning",
            "A client reads messages from there: some log what is none, others give the server up.",
            "Write logs to standard error, and to standard output nothing but messages.",
        ),
        "list-changes": Code(
            "warning",
            "An agent reasons with the list that it was shown; calls that fit it are then refused.",
            "List the same tools each time, or say listChanged and send the notification.",
        ),
        "unreadable": Code(
            "error",
            "The definition cannot be read, so no agent is ever shown the tool.",
            "Put the definition into the form that its provider asks for.",
        ),
        "refused": Code(
            "error",
            "The function cannot be made a tool as it stands.",
            "Change the function's signature as the message says.",
        ),
        "no-schema": Code(
            "error",
            "Nobody can tell an agent which fields there are.",
            "Declare the fields, or an object without properties if there are none.",
        ),
        "invalid-schema": Code(
            "error",
            "Validators and providers refuse a schema that is not valid JSON Schema, with it the whole tool list.",
            "Write it in valid JSON Schema (draft 2020-12).",
        ),
        "duplicate-name": Code(
            "error",
            "A call by this name reaches one of the tools, and nobody can say which.",
            "Give each tool a name of its own.",
        ),
        "dangling-ref": Code(
            "error",
            "What stands behind the reference is invisible, and validation cannot run.",
            "Put the definition that it names into $defs, or write it in place.",
        ),
        "remote-ref": Code(
            "error",
            "Nothing is fetched over a network: what stands behind the reference is invisible.",
            "Copy the schema into $defs and refer to it there.",
        ),
        "circular-ref": Code(
            "error",
            "The references lead back to themselves without passing a property or an item, so no value is described.",
            "Let one of the references end in a schema of its own.",
        ),
        "undeclared-required": Code(
            "error",
            "An agent must send a field that it is not shown.",
            "Declare the field under properties, or take it out of required.",
        ),
        "invalid-pattern": Code(
            "warning",
            "The pattern is no regular expression, so it admits nothing or is ignored.",
            "Write a regular expression of ECMA-262.",
        ),
        "unsatisfiable": Code(
            "warning",
            "No value at all is admitted here.",
            "Mend the bounds, or give the enum members.",
        ),
        "default-invalid": Code(
            "warning",
            "An agent that sends the default, or reasons with it, sends what the schema itself refuses.",
            "Give a default that the field's own schema admits, or none.",
        ),
        "default-is-description": Code(
            "warning",
            "The sentence is the field's value: an agent that leaves the field out sends it as data.",
            "Make the sentence the description, and the field required or its default a real one.",
        ),
        "default-none-text": Code(
            "warning",
            "The text is no null: sent as it stands, it is taken for a value.",
            "Leave the default out, or declare null and make null the default.",
        ),
        "default-differs": Code(
            "warning",
            "An agent that leaves the field out reckons with another value than the function takes.",
            "Declare the default that the function has.",
        ),
        "enum-type": Code(
            "warning",
            "These members can never be sent: the field's own type refuses them.",
            "Give the members the declared type, or the field the members' type.",
        ),
        "example-invalid": Code(
            "warning",
            "An agent copies examples; this one is refused by the schema beside it.",
            "Give an example that the schema admits.",
        ),
        "items-missing": Code(
            "warning",
            "An agent is not told what the array holds, and some providers refuse the tool.",
            "Declare items.",
        ),
        "misspelt-keyword": Code(
            "warning",
            "Nobody knows this keyword, so what it was meant to say is not said.",
            "Write the keyword as JSON Schema has it.",
        ),
        "strict-open": Code(
            "error",
            "In strict mode the provider refuses the tool.",
            "Close each object with additionalProperties false, and list all of its properties under required.",
        ),
        "unknown-keyword": Code(
            "note",
            "No validator knows this keyword; what it says is for readers at most.",
            "Take it out, or begin it with x- to say that it is your own.",
        ),
        "type-missing": Code(
            "note",
            "Any value is admitted here; an agent has to guess the type.",
            "Declare a type.",
        ),
        "choices-in-description": Code(
            "note",
            "Choices that stand in prose only are not enforced, and an agent may misread them.",
            "Declare them as an enum.",
        ),
        "refused-name": Code(
            "note",
            "Another provider refuses this name.",
            "Keep to letters, digits, _ and -, at most 64 of them.",
        ),
        "no-description": Code(
            "note",
            "An agent is not told what the tool is for.",
            "Say in a sentence what the tool does, and when to use it.",
        ),
        "undeclared-parameter": Code(
            "warning",
            "An agent sends only what is declared, so the function never gets this parameter.",
            "Declare it, or take it out of the function.",
        ),
        "unknown-field": Code(
            "error",
            "The function cannot take this field, so a call that sends it fails.",
            "Declare the name that the function takes, or take the field out.",
        ),
        "ignored-field": Code(
            "warning",
            "The function never reads this field: an agent sends it, and it changes nothing.",
            "Take it out, or declare the name that the function reads.",
        ),
        "positional-only": Code(
            "error",
            "The parameter cannot be given by name, and an agent gives every field by name.",
            "Take the / out of the function's signature.",
        ),
        "optional-but-needed": Code(
            "warning",
            "A call that the schema admits fails inside the function.",
            "List it under required, or give the parameter a default.",
        ),
        "required-but-supplied": Code(
            "warning",
            "An agent must invent a value that the function does without, or an absence goes unnoticed.",
            "Take it out of required; or let the function report the missing field.",
        ),
        "undeclared-type": Code(
            "warning",
            "The function takes this, and the schema keeps it from ever being sent.",
            "Admit it in the schema, or take the conversion out.",
        ),
        "name-refused": Code(
            "error",
            "A call that the schema admits fails because of a field's name.",
            "Declare the name that the function reads.",
        ),
        "case-refused": Code(
            "warning",
            "An agent that keeps to the declaration can never make a call that the suite holds to be right.",
            "Admit the arguments in the schema, or mend the case.",
        ),
        "enum-refused": Code(
            "warning",
            "An agent may choose this member, and the function does not know it.",
            "Take the member out, or let the function know it.",
        ),
        "null-refused": Code(
            "warning",
            "The schema admits null, and the function does not: a default makes a field omittable, not nullable.",
            "Do not declare null, or let the function take it.",
        ),
        "type-refused": Code(
            "warning",
            "Every value of the declared type fails, and one of another type is answered.",
            "Declare the type that the function takes.",
        ),
        "unused-field": Code(
            "warning",
            "An agent sends the field and believes in it; it changes nothing.",
            "Take it out, or let the function use it.",
        ),
        "unused-in-member": Code(
            "warning",
            "The field works with one choice and is silently ignored with another.",
            "Use it there too, refuse it there, or name in its description the choice that it belongs to.",
        ),
        "output-invalid": Code(
            "warning",
            "The answer is not what was declared, so a client refuses it or an agent misreads it.",
            "Declare what the function answers, or answer what is declared.",
        ),
        "not-read-only": Code(
            "warning",
            "The tool is said to change nothing, so it is called without asking; it does change something.",
            "Declare the side effect.",
        ),
        "not-idempotent": Code(
            "warning",
            "The tool is said to be repeatable at will; a second equal call changes more.",
            "Do not declare it idempotent.",
        ),
        "error-as-text": Code(
            "warning",
            "A failure that is told as an ordinary answer counts as a success.",
            "Raise, or return a mapping with an error key.",
        ),
        "valid-call-crashes": Code(
            "note",
            "A call that the schema admits ends in an exception that nobody declared, or never comes back.",
            "Report an error, or narrow the schema.",
        ),
        "wrong-type-accepted": Code(
            "note",
            "A value of a type that the schema forbids is answered, perhaps not as it was meant.",
            "Refuse it, or admit it in the schema.",
        ),
        "wrong-type-crashes": Code(
            "note",
            "A value of a wrong type ends in an exception that nobody declared, which an agent cannot read.",
            "Report an error that names the field.",
        ),
        "enum-not-enforced": Code(
            "note",
            "A value outside the enum is answered.",
            "Refuse it, or admit it in the schema.",
        ),
        "effect-claimed": Code(
            "warning",
            "An agent takes it for done and goes on.",
            "Report an error when there was nothing to do, or say in the answer that nothing was done.",
        ),
        "example-refused": Code(
            "warning",
            "An agent takes the example as it stands, and is refused.",
            "Give an example that works, or take what the example shows.",
        ),
        "nonsense-accepted": Code(
            "warning",
            "An agent's slip is answered as if it had meant something, and the answer is believed.",
            "Report an error that says what form is right; a format or pattern in the schema tells it before the call.",
        ),
        "effect-not-seen": Code(
            "note",
            "The tool is said to change something; no call that was tried changed the world.",
            "Look whether the effect happens, and where it can be seen.",
        ),
    }
)
