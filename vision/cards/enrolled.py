"""A house's own deck, learned from a few pictures of its cards: what each index looks like to the reading network."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from engine.errors import GameError
from vision.cards.glyphs import NAMES, PLACE, IndexReading, Vector

LIKENESS_WEIGHT = 12.0
"""Weight of likeness (cosine, from the middle of the deck) beside the network's log-likelihood, which counts in full:
the least log loss on lattmann, plastic, neoclassical, tango and penguins, enrolled and read on drawn tables."""
MOST_UNPACKED_BYTES = 16_000_000
"""A deck of 54 cards, four examples each, takes 60 kB; a file that unpacks to far more was made to fill the memory."""
WIDTH = 128
"""So many numbers say what an index looks like to the reading network."""
SURE = 0.97
"""A name the network itself gives this much stays whatever the deck says: enrolment decides doubts only."""


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


@dataclass(frozen=True)
class EnrolledDeck:
    """Examples of a deck's indices: unit feature vectors and the card (as a place in NAMES) each one shows."""

    features: NDArray[np.float64]
    places: NDArray[np.int64]
    network: str
    """Which reading network they were learned with: they mean nothing to another."""

    @staticmethod
    def of(examples: Mapping[Card, Sequence[Vector]], network: str) -> "EnrolledDeck":
        """From feature vectors by card."""
        rows = [(PLACE[card], v) for card, vectors in examples.items() for v in vectors]
        return EnrolledDeck(_unit(np.array([v for _, v in rows])), np.array([p for p, _ in rows], np.int64), network)

    @property
    def cards(self) -> frozenset[Card]:
        """The cards it has seen."""
        return frozenset(NAMES[int(p)] for p in self.places)

    def merged(self, other: "EnrolledDeck") -> "EnrolledDeck":
        """Both decks' examples; a card enrolled again replaces what was known of it."""
        keep = ~np.isin(self.places, other.places)
        features = np.concatenate([self.features[keep], other.features])
        return EnrolledDeck(features, np.concatenate([self.places[keep], other.places]), other.network)

    def packed(self) -> bytes:
        """As a file holds it."""
        out = io.BytesIO()
        features, places = self.features.astype(np.float16), self.places.astype(np.int16)
        np.savez_compressed(out, features=features, places=places, network=np.array(self.network))
        return out.getvalue()

    @staticmethod
    def unpacked(data: bytes, network: str) -> "EnrolledDeck":
        """What packed wrote. GameError: the file is no deck, or is from another network."""
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as parts:
                if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED_BYTES:
                    raise GameError("deck_large")
            with np.load(io.BytesIO(data), allow_pickle=False) as parts:
                features, places = parts["features"].astype(np.float64), parts["places"].astype(np.int64)
                learned_with = str(parts["network"]) if "network" in parts else ""
        except GameError:
            raise
        except Exception as error:  # Zip, zlib and NumPy's headers, once damaged, each fail in many ways.
            raise GameError("deck_form") from error
        if features.ndim != 2 or places.shape != features.shape[:1] or not len(places):
            raise GameError("deck_form")
        if not ((places >= 0) & (places < len(NAMES))).all() or not np.isfinite(features).all():
            raise GameError("deck_form")
        if learned_with != network:
            raise GameError("deck_network")
        if features.shape[1] != WIDTH:
            raise GameError("deck_form")
        return EnrolledDeck(_unit(features), places, network)

    def sharpen(self, reading: IndexReading) -> IndexReading:
        """The reading in the light of this deck. What the network is sure of stands, and cards not enrolled keep the
        likelihood it gave them: the deck only shares out anew what fell on the cards it knows."""
        network = reading.likely
        if float(network.max()) >= SURE:
            return reading
        middle = self.features.mean(axis=0)
        alike = _unit(self.features - middle) @ _unit(_unit(reading.features) - middle)
        best = np.full(len(NAMES), -np.inf)
        np.maximum.at(best, self.places, alike)
        seen = np.isfinite(best)
        joint = network.copy()
        joint[seen] = np.clip(network[seen], 1e-9, 1) * np.exp(LIKENESS_WEIGHT * (best[seen] - best[seen].max()))
        joint[seen] *= network[seen].sum() / joint[seen].sum()
        return replace(reading, likely=joint / joint.sum())
