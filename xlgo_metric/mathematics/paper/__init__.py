"""Mode ``paper``: the published scoring of PolyMath, with SymPy in a process of its own."""
