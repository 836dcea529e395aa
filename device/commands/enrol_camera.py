"""`hisabu enrol --camera`: learns a deck as it is laid under the camera, a look whenever the cards lie still."""

import argparse
import sys
from functools import partial
from pathlib import Path

from device import words
from device.cameras import Camera, CameraAway, open_camera
from device.cameras.picture_files import write_picture
from device.commands.console import language_of
from device.commands.read_cards import rows_of, settings_or_not
from device.keeping.deck import GrowingDeck, learned_path
from device.words import in_words
from vision.cards.enrol_watch import EnrolWatch, LessonTaken
from vision.cards.enrolled import EnrolledDeck
from vision.cards.reader import CardReader

FAILED = "enrol-failed"
"""Folder beside the deck for pictures that taught nothing, each with its reason."""
MOST_FAILED = 20
"""No more such pictures are kept: the newest say what is wrong."""


class _Kept:
    """The deck on disk and the pictures that failed."""

    def __init__(self, path: Path, anew: bool, language: str) -> None:
        self.path, self.language = path, language
        self._file = GrowingDeck(path, anew, language)
        self._failed = 0

    def keep(self, deck: EnrolledDeck) -> int:
        """Writes what is known by now; how many cards that is."""
        return len(self._file.keep(deck).cards)

    def keep_failed(self, taken: LessonTaken) -> Path | None:
        """The picture, and why it taught nothing; None where it cannot be kept."""
        folder = self.path.with_name(FAILED)
        folder.mkdir(parents=True, exist_ok=True)
        self._failed = self._failed % MOST_FAILED + 1
        picture = folder / f"{self._failed:02}.jpg"
        if not write_picture(picture, taken.picture, self.language):
            return None
        picture.with_suffix(".txt").write_text(f"{self._said_of_failed(taken)}\n", encoding="utf-8")
        return picture

    def _said_of_failed(self, taken: LessonTaken) -> str:
        """What stands beside a picture that taught nothing."""
        asked = words.say(self.language, "enrol-asked_for", cards=rows_of(taken.asked))
        return f"{asked}\n{in_words(taken.result.problem, self.language)}"


def run(args: argparse.Namespace) -> int:
    """Watches until all cards are learned, the camera ends, or somebody stops it: 0 where all were learned."""
    language = language_of(args)
    settings = settings_or_not(language, args.settings)
    try:
        camera = open_camera(args.camera or settings.camera)
    except CameraAway as away:
        print(away.said(language), file=sys.stderr)
        return 2
    try:
        return watch(camera, _Kept(learned_path(settings, args.settings), args.anew, language))
    finally:
        camera.close()


def watch(camera: Camera, kept: _Kept) -> int:
    """The same, with a camera that is open."""
    watching = EnrolWatch(CardReader())
    said = partial(words.say, kept.language)
    print(said("enrol-how_camera"))
    _ask(watching, kept.language)
    try:
        while watching.wanted:
            frame = camera.frame()
            if frame is None:
                break
            taken = watching.see(frame)
            if taken is not None:
                _tell(taken, watching, kept)
    except CameraAway as away:
        print(away.said(kept.language), file=sys.stderr)
    except KeyboardInterrupt:
        print()
    except OSError as error:
        why = words.what_helps(error, kept.language)
        print(said("enrol-not_kept", path=kept.path, why=why), file=sys.stderr)
        return 2
    wanted = watching.wanted or watching.left_out
    if not wanted:
        print(said("enrol-whole", path=kept.path))
        return 0
    known = said("enrol-nothing_yet" if watching.deck is None else "enrol-kept")
    print(said("enrol-still_wanted", cards=rows_of(wanted), known=known), file=sys.stderr)
    return 1


def _ask(watching: EnrolWatch, language: str) -> None:
    print(words.say(language, "enrol-lay", cards=rows_of(watching.wanted)), flush=True)


def _tell(taken: LessonTaken, watching: EnrolWatch, kept: _Kept) -> None:
    """What came of a look, and what is wanted next."""
    said = partial(words.say, kept.language)
    if taken.result.deck is None or watching.deck is None:
        picture = kept.keep_failed(taken)
        where = f" ({said('enrol-picture_kept', picture=picture)})" if picture else ""
        print(said("enrol-not_learned", why=in_words(taken.result.problem, kept.language)) + where, flush=True)
        return
    print(said("enrol-learned_now", seen=len(taken.result.deck.cards), known=kept.keep(watching.deck)))
    for card, name in taken.result.left_out:
        print(said("enrol-left_out", card=card, name=name))
    if watching.wanted:
        _ask(watching, kept.language)
