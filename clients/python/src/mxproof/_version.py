# Written by scripts/python-client.ts from package.json.
__version__ = "0.2.0"
