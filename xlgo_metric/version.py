"""The version of the package, which stands last in every signature."""

__version__ = "0.2.0"
