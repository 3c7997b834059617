"""What may still become of the standings: simulated finishes, and what can be proved without chance. [RULES 9.22]"""
