"""Two faults that no operator describes, for the catalogue to name. The tools themselves are the server's."""

from math import floor

from toolbench import ToolError


def whole_hours(world, **arguments):
    """convert_time, with a difference in whole hours."""
    answer = world.call("convert_time", arguments)
    hours = floor(float(answer["time_difference"].rstrip("h")))
    return {**answer, "time_difference": f"{hours:+.1f}h"}


def utc_for_unknown(world, timezone="", **_):
    """get_current_time, which answers for UTC where it should report an unknown zone."""
    try:
        return world.call("get_current_time", {"timezone": timezone})
    except ToolError:  # not a server that is gone
        return world.call("get_current_time", {"timezone": "Etc/UTC"})
