"""What a game is, apart from where it is kept: its settings, its log, and what follows from them."""
