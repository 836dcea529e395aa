"""Makes the table of awalé endings again: engine/search/awale_endings.z. Takes a minute.

python -m tools.awale_endings
"""

import zlib

from engine.rules.awale import AwaleFlags
from engine.search.endings import FILE, MOST_SEEDS, OPEN, solved


def main() -> None:
    table = solved(AwaleFlags(), MOST_SEEDS)
    FILE.write_bytes(zlib.compress(table, 9))
    known = sum(worth != OPEN for worth in table[::2])
    print(f"{len(table) // 2} positions, {known} known, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
