"""Channels to other services: how they are opened, and many calls over one long-lived stream."""
