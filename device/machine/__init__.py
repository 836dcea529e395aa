"""The machine it runs on: its pins and wires, how it is installed, whether it is well."""
