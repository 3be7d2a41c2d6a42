"""The use cases of a game server, over a store and a set of rules."""
