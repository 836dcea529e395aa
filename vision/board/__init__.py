"""Finds the pits of a board in a picture and says how likely each count of seeds is.

| step | where |
|---|---|
| the way in: find, count, follow, learn | `reader.py` |
| points that may be pits | `finder.py`; `woods.py` parts those of the board from those of the table |
| which point is which pit | `lattice.py`, or `spaced.py` if lines are not evenly spaced; `stores.py` knows stores |
| where the pits are in the picture | `grid.py` |
| a crop of each pit | `crops.py` |
| how many seeds lie in it | `counter.py`; `adapt.py` fits it to this board |
| several looks, made one | `fuse.py` |
| what was known of these pits before | `memory.py`, `misreadings.py` |
| the networks, and pictures as they take them | `nets.py`, `inputs.py` |
| what was read, drawn over the picture | `draw.py` |
"""
