"""A small scenario to start from: a shop with three tools, four tasks and a fictional agent.

Replace the tools by your own, then the cases, the tasks and the defects. What each part may hold:
python -c "import toolbench; help(toolbench.Scenario)"
"""

from toolbench import SeededAgent, Task, Tokens, ToolError, World, tool

base_seed = 1000

PRODUCTS = {
    "tea": {"unit_price": 4, "in_stock": 12},
    "cup": {"unit_price": 7, "in_stock": 3},
    "kettle": {"unit_price": 30, "in_stock": 1},
}


def world():
    """What the tools read (`given`) and change (`state`); every case and every episode gets a fresh one."""
    return World(given={"products": PRODUCTS}, state={"orders": []})


@tool(
    inject="world",
    schema={"type": "object", "properties": {"product": {"type": "string"}}, "required": ["product"]},
)
def find_product(world, product):
    """The unit price of a product, and how many are in stock."""
    if product not in world.given["products"]:
        raise ToolError(f"no such product: {product}")
    return dict(world.given["products"][product])


@tool(
    schema={
        "type": "object",
        "properties": {
            "unit_price": {"type": "number"},
            "count": {"type": "integer", "minimum": 1},
            "voucher": {"type": "string", "description": "TEN takes ten percent off"},
        },
        "required": ["unit_price", "count"],
    }
)
def order_total(unit_price, count, voucher=""):
    """What an order comes to, after a voucher if there is one."""
    if count < 1:
        raise ToolError("count must be 1 or more")
    total = unit_price * count
    if voucher == "TEN":
        total = total * 0.9
    return {"total": total}


@tool(
    inject="world",
    side_effect=True,
    schema={
        "type": "object",
        "properties": {"product": {"type": "string"}, "count": {"type": "integer"}},
        "required": ["product", "count"],
    },
)
def place_order(world, product, count):
    """Order a number of products; the answer holds the order's number."""
    if count > world.given["products"][product]["in_stock"]:
        return {"error": "not enough in stock"}
    world.state["orders"].append({"product": product, "count": count})
    return {"order_number": len(world.state["orders"])}


tools = [find_product, order_total, place_order]

# A task says what the agent holds at first, the right answer, and the right way.
tasks = [
    Task(
        id="price-of-tea",
        request="what do 3 tea cost",
        start={"product": "tea", "count": 3},
        answer=12,
        sequence=["find_product", "order_total"],
    ),
    Task(
        id="price-of-cups",
        request="what do 2 cups cost with the voucher TEN",
        start={"product": "cup", "count": 2, "voucher": "TEN"},
        answer=12.6,
        sequence=["find_product", "order_total"],
    ),
    Task(
        id="price-of-kettle",
        request="what does a kettle cost with the voucher TEN",
        start={"product": "kettle", "count": 1, "voucher": "TEN"},
        answer=27,
        sequence=["find_product", "order_total"],
    ),
    Task(
        id="order-cups",
        request="order 2 cups",
        start={"product": "cup", "count": 2},
        answer=1,
        sequence=["place_order"],
    ),
]

# The fictional agent: it takes the right tool with a probability, has a budget of steps, and draws from a seed.
# `results` names the output field that becomes the answer; of a tool that returns no mapping it is "value".
agent = SeededAgent(
    budget=6,
    first=0.9,
    fall=0.05,
    least=0.5,
    stop=0.95,
    results={"order_total": "total", "place_order": "order_number"},
    tokens=Tokens(step=50, history=20, call=25),
)
