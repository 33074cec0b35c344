"""Agents: the protocol, the seeded agent, and the engines that play episodes."""
