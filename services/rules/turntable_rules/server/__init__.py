"""The rules service: the engine behind gRPC, keeping nothing between calls."""
