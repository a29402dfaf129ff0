# Written by scripts/python-client.ts from package.json.
__version__ = "0.3.0"
