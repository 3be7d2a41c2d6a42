"""Bots for the Ticket to Ride family: they see what a player sees, and nothing else."""
