"""The core's answers and problems in the messages of `turntable.session.v1`, and back without loss."""
