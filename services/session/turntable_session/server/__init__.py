"""The session service: the core behind gRPC."""
