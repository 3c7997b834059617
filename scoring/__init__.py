"""The arithmetic of the rulebooks: hands, payments, points and places, without a database or a framework."""
