"""The families of tasks, one folder each."""
