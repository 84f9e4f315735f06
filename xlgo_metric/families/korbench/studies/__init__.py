"""Experiments of the KOR-Bench paper beyond its main results."""
