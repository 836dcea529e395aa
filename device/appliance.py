"""The device put together from its settings: camera, match, outputs and buttons, run by the loop."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from device import words
from device.cameras import Camera, open_camera
from device.following.auto import AutoFollower, NotYet
from device.following.follow import FrameSeen, follower_of
from device.following.keeper import Keeper
from device.following.kept_moments import keeper_of
from device.following.live import LiveTable
from device.following.loop import Input, StopOnSignals, run
from device.following.moments import Moments
from device.following.recording import Recorder, next_folder
from device.following.show import CAMERA_AWAY, NET_CAMERA_AWAY, Output
from device.keeping import journal
from device.keeping.camera_names import is_address
from device.keeping.journal import MatchRecord
from device.keeping.letters import LastLetters
from device.keeping.looks import FirstDeal
from device.keeping.settings import AUTO, Settings
from device.keys import Keys, has_keys
from device.machine.about import about
from device.machine.doctor import Doctor
from device.machine.power import may_switch
from device.machine.systemd import Notifier
from device.machine.wiring import load
from device.outputs import output_kinds
from device.outputs.broker.as_set import BrokerAsSet
from device.outputs.broker.nearby import Nearby
from device.outputs.page.address import listening
from engine.match import Header, Match
from vision.frame import Frame

if TYPE_CHECKING:
    from device.machine.hotspot import Hotspot
    from device.outputs.page.page import PhonePage

log = logging.getLogger(__name__)
UNKEPT = ("journal_full", "journal_read_only")
"""Troubles while which nothing is kept."""
MIRRORED_FRAMES = 3
"""Of the frames, one in so many is drawn in a terminal: it is slow over ssh."""


class Appliance:
    """One device. OptionError: its settings name a table that cannot be."""

    def __init__(
        self,
        settings: Settings,
        save: Callable[[Settings], None],
        camera: str | None = None,
        record: Path | None = None,
        new: bool = False,
        page: str | None = None,
    ) -> None:
        """page: off, here, network or HOST:PORT, in place of what the settings say. ValueError: it is no place."""
        self._listening = listening(settings, page)
        self._settings = settings
        self._camera = camera or settings.camera
        self._said: list[str] = []
        self._watchers: list[Callable[[Frame, FrameSeen], None]] = []
        last = journal.last_played(settings.matches_folder) if settings.game == AUTO else None
        looks = FirstDeal(settings.matches_folder)
        kept = self._resumed(new)
        if settings.game != AUTO or new:
            looks.clear()
        record_of_match = kept or self._first(last)
        self._recorder = self._recorder_for(
            None if isinstance(record_of_match, NotYet) else record_of_match.match, record
        )
        if self._recorder is not None:
            self._watchers.append(self._recorder.watch)
        letters = LastLetters(settings.matches_folder)
        self.table = LiveTable(
            record_of_match,
            settings,
            self._begin,
            save,
            self._watch,
            self._said,
            follower=partial(follower_of, letters=letters),
            looks=looks,
            last=last,
            auto=partial(AutoFollower, letters=letters),
        )

    def _resumed(self, new: bool) -> MatchRecord | None:
        """The match that went on when the power went, unless a new one is wanted.

        The menu may have changed what the next match is played as while this one went on: it still does. A laptop has
        no menu; there the settings are changed by whoever starts the program, for what is played now.
        """
        settings = self._settings
        found = journal.resume(settings.matches_folder)
        for remark in found.remarks:
            self._remark(remark.sentence(settings.language))
        kept = found.record
        if kept is None:
            return None
        fits = _fits(kept.match, settings)
        if new or not (fits or (settings.build != "laptop" and kept.match.log)):
            if kept.match.log:
                self._say("finished", events=len(kept.match.log))
            kept.finish()
            return None
        self._say("resumed" if fits else "resumed_as_it_was", events=len(kept.match.log))
        return kept

    def _recorder_for(self, match: Match | None, named: Path | None) -> Recorder | None:
        """named: where the recording was asked for by hand. OSError: it cannot be written there. One that the settings
        ask for is less than the game, which goes on without it."""
        settings = self._settings
        folder = named
        try:
            if folder is None and settings.record_folder is not None:
                folder = next_folder(settings.record_folder)
            return None if folder is None else Recorder(folder, match, settings.seating, settings.deck_file)
        except OSError as error:
            if named is not None:
                raise
            self._say(
                "not_recorded", why=f"{error.filename or settings.record}: {words.what_helps(error, settings.language)}"
            )
            return None

    def _say(self, what: str, **facts: object) -> None:
        self._remark(words.say(self._settings.language, f"live-{what}", **facts))

    def _remark(self, sentence: str) -> None:
        # A laptop's terminal says it anyway.
        log.log(logging.INFO if self._settings.build == "laptop" else logging.WARNING, "%s", sentence)
        self._said.append(sentence)

    def _first(self, last: Header | None) -> Keeper:
        """The match that this start begins with: none, as long as nobody knows which game it is."""
        return NotYet(self._settings, last) if self._settings.game == AUTO else self._begin(self._settings)

    @staticmethod
    def _begin(settings: Settings) -> MatchRecord:
        return MatchRecord.begin(settings.matches_folder, settings.match())

    def _watch(self, frame: Frame, seen: FrameSeen) -> None:
        for watcher in list(self._watchers):
            try:
                watcher(frame, seen)
            except OSError as error:
                why = f"{error.filename or ''}: {words.what_helps(error, self._settings.language)}"
                log.warning("%s", words.say(self._settings.language, "live-no_more_recorded", why=why))
                self._watchers.remove(watcher)

    def run(self, terminal: bool = False) -> int:
        """Follows the table until SIGTERM. The exit status: 1, a part failed for good, or the brain failed at all."""
        settings = self._settings
        made = [(kind, output) for kind in output_kinds() for output in kind.made(settings, load())]
        outputs: list[Output] = [output for _, output in made]
        inputs = inputs_of(settings)
        say = None
        if terminal or not any(kind.at_the_table for kind, _ in made):
            from device.outputs.terminal import TerminalOutput

            keys = has_keys()
            drawn = TerminalOutput(keys=keys)
            say = drawn.say_in_the_title
            if keys:
                inputs = [*inputs, lambda pressed: Keys(pressed, lambda: drawn.on_screen)]
            self._watchers.append(_every(MIRRORED_FRAMES, drawn.watch))
            outputs = [*outputs, drawn]
        pairing, hotspot = None, None
        if self._listening.places:
            from device.outputs.page.page import PhonePage

            page = PhonePage(settings, self._listening, say, by_asking=not inputs)
            page.of(self.table)
            pairing = page.site.pairing
            kept = keeper_of(lambda: self.table.path if self.table.settings.keep_moments else None)
            moments = Moments(lambda: self.table.match, kept)
            page.site.moments = moments.last
            self._watchers += [page.watch, moments.watch]
            outputs, inputs = [*outputs, page], [*inputs, page.listen]
            hotspot = self._hotspot(page)
        broker = BrokerAsSet(lambda: self.table.settings, pairing, by_asking=not inputs)
        self.table.hall_asked = broker.let_in
        self.table.brokers_nearby = Nearby()
        self.table.about = lambda: about(self.table.settings).to_dict()
        outputs, inputs = [*outputs, broker], [*inputs, broker.listen]
        doctor = Doctor(settings, self._open_camera)
        stop, notifier = StopOnSignals(), Notifier()
        by_systemd = notifier.there
        status = run(
            self._open_camera,
            self.table,
            outputs,
            stop,
            inputs=inputs,
            health=doctor.troubles,
            camera_away=NET_CAMERA_AWAY if is_address(self._camera) else CAMERA_AWAY,
            notifier=notifier,
        )
        if hotspot is not None:
            hotspot.close()
        self.table.close()
        if self._recorder is not None:
            self._recorder.close()
        if status:
            log.error("%s", self._what_failed(by_systemd, asked=stop.is_set()))
        return status

    def _hotspot(self, page: "PhonePage") -> "Hotspot | None":
        """Looks after the network, where this is a device and not somebody's laptop."""
        from device.machine import hotspot, network

        if not may_switch() or self._settings.build == "laptop" or self._listening.near:
            return None
        folder = self._settings.matches_folder
        made = hotspot.Hotspot(lambda: network.own_wifi(folder), page.own_wifi, lambda: bool(page.site.visitors))
        page.site.hotspot = made
        made.start()
        return made

    def _what_failed(self, by_systemd: bool, asked: bool) -> str:
        """The last line of a log that ends in a failure: what it was, what of the match is kept, what to do."""
        said = partial(words.say, self._settings.language)
        code = ("service_stopped" if asked else "service_failed") if by_systemd else "part_failed"
        lost = any(trouble in UNKEPT for trouble in self.table.show.troubles)
        return said(f"live-{code}", kept=said("live-not_all_kept" if lost else "live-all_kept"))

    def _open_camera(self) -> Camera:
        if self._camera == "simulated":
            from device.commands.demo import simulated

            seed = crc32((self._settings.table or "table").encode())  # Two tables of one name play the same.
            return simulated(self.table.match, seed, real_time=True, on_and_on=True, now=lambda: self.table.match)
        return open_camera(self._camera, size=self._settings.capture, mains_hz=self._settings.mains_hz)


def _fits(match: Match, settings: Settings) -> bool:
    """Whether a match that went on is the one that the settings ask for. One against the device goes on so, unless
    another level or side is asked for."""
    if settings.game == AUTO:
        return True
    header, wanted = match.header, settings.match().header
    if wanted.against is not None and wanted.against != header.against:
        return False
    played, asked = ((match.game, match.players, dict(match.options), match.head_start) for match in (header, wanted))
    return played == asked


def _every(count: int, watch: Callable[[Frame, FrameSeen], None]) -> Callable[[Frame, FrameSeen], None]:
    seen_frames = 0

    def some(frame: Frame, seen: FrameSeen) -> None:
        nonlocal seen_frames
        seen_frames += 1
        if seen.looked or seen_frames % count == 0:
            watch(frame, seen)

    return some


def inputs_of(settings: Settings) -> Sequence[Input]:
    """The buttons of the build."""
    if settings.build == "laptop":
        return ()
    from device.buttons import Buttons

    return (lambda pressed: Buttons(pressed, build=settings.build),)
