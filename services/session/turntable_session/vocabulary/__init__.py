"""The engine's plain data in the messages of `turntable.game.v1`, and back without loss."""
