"""How the definitions of a server drift: two declarations compared, place by place, as the contract that they are."""
