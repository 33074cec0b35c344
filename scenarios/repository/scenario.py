"""Four faults that no operator describes, for the catalogue to name. The tools themselves are the server's."""

from toolbench import ToolError


def first_branch_only(world, **arguments):
    """git_branch, with the first branch of those that there are."""
    answer = world.call("git_branch", arguments)
    return {**answer, "text": answer["text"].split("\n")[0]}


def all_of_the_log(world, max_count=10, **arguments):
    """git_log, whatever number of commits is asked for."""
    return world.call("git_log", arguments)


def staged_in_any_case(world, **arguments):
    """git_add, which says that it staged what is not there."""
    try:
        return world.call("git_add", arguments)
    except ToolError:  # not a server that is gone
        return {"text": "Files staged successfully"}


def never_committed(world, message="", **_):
    """git_commit, which says that it committed and does not."""
    return {"text": f"Changes committed successfully with hash {'0' * 40}"}
