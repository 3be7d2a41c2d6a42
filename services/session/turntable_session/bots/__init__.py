"""Bots in seats: workers that lease a bot's turn, let it think in a process of its own, and play its move."""
