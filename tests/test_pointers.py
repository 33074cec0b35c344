"""JSON Pointers."""

from toolbench.pointers import pointer_to


def test_a_pointer_is_written_as_the_rfc_has_it():
    """RFC 6901: ~ is ~0 and / is ~1, and the root is the empty text."""
    assert pointer_to() == ""
    assert pointer_to("a~b/c", 2, "") == "/a~0b~1c/2/"
