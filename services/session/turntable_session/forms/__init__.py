"""The engine's plain data as the JSON that clients read, and moves as the JSON they send."""
