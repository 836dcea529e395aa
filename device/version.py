"""Which version of the program this is: the tag of its release, kept with it where it was installed."""

from importlib.metadata import PackageNotFoundError, version


def of_the_program() -> str:
    """As `hisabu --version` says it; a program that was only copied somewhere has none."""
    try:
        return version("hisabu")
    except PackageNotFoundError:
        return "0+unknown"
