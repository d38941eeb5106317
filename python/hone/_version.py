"""The version of the package. Its first two numbers are those of the program that it needs."""

__version__ = "0.1.0"
