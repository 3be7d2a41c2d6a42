"""How the core asks for rules: one port, an adapter in process and one over gRPC."""
