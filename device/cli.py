"""The console script, card commands only."""

import argparse

from device import read_cards


def main() -> int:
    """hisabu COMMAND…"""
    parser = argparse.ArgumentParser(prog="hisabu")
    read_cards.add_parser(parser.add_subparsers(required=True))
    return read_cards.run(parser.parse_args())
