"""Where games are kept: Redis, Valkey, a cluster, or an embedded server."""
