"""A session service over gRPC, behind the same port as the core in process."""
