"""What `hisabu replay FOLDER` does: a recording goes through the whole path again."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from device import words
from device.cameras import CameraAway
from device.commands.console import complain
from device.commands.why import print_why
from device.following.auto import AutoFollower, NotYet
from device.following.follow import CardFollower, Follower, follower_of
from device.following.keeper import InMemory
from device.following.live import BY_EYE, LiveTable
from device.following.loop import run_through
from device.following.recording import RecordedCamera, Recording, RecordingError
from device.keeping.settings import SEATING, Settings, SettingsError, read
from device.words import in_words
from engine.events import EventError, event_to_dict
from engine.games import GAMES
from engine.match import Header, Match
from engine.notices import ASK
from engine.options import OptionError
from engine.table.why import Why
from vision.frame import Frame

Shown = Callable[..., None]
"""Is told of each event: its number, the notices and the match."""


def replay_recording(folder: Path, as_json: bool, language: str, show: Shown, tell_why: bool = False) -> int:
    """A recording through the whole path again; says whether it tells what it told when it was recorded. tell_why: also
    what may have happened at each rest of a card table, and what decides."""
    try:
        recording = Recording(folder)
        begun = recording.match()
        settings = _settings_of(recording, begun, language)
        if not recording.frames:
            raise RecordingError("recording_empty", path=folder)
    except SettingsError as error:
        return complain(f"{folder}: {words.say(language, 'mistake-first_line', error=error)}")
    except (RecordingError, OptionError, ValueError) as error:
        return complain(in_words(error, language))
    seats = () if begun is None else begun.header.seats
    explain = _Explained(lambda why: print_why(why, as_json, language, seats)) if tell_why else None
    try:
        replayed = _replayed(recording, begun, settings, show, explain)
    except CameraAway as error:
        return complain(error.said(language))
    if recording.cut > 1:  # One more is lost whenever the power goes.
        complain(words.say(language, "replay-cut", folder=folder, many=recording.cut))
    try:
        same = _same(replayed, recording)
    except EventError as error:
        return complain(f"{folder}: {in_words(error, language)}")
    if not as_json:
        name = "replay-same" if same else "replay-other"
        print(words.say(language, name, now=len(replayed.events), then=len(recording.events)))
    return 0 if same else 1


def _settings_of(recording: Recording, begun: Match | None, language: str) -> Settings:
    """What was set when it was recorded: the game, the seats, the house's own deck."""
    settings = Settings(language=language, build="laptop", display="none")
    if begun is not None:
        settings = settings.of(begun.header.game, begun.header.players)
    about = recording.header.get("about", {})
    settings = read({name: about[name] for name in SEATING if name in about}, settings)
    return replace(settings, deck=str(recording.deck.absolute())) if recording.deck.exists() else settings


@dataclass
class _Replayed:
    """What was told this time."""

    events: list[dict[str, Any]] = field(default_factory=list)
    header: Header | None = None


class _Noting(InMemory):
    """A match whose events are shown; those that the eye told are noted."""

    def __init__(self, match: Match, replayed: _Replayed, show: Shown) -> None:
        super().__init__(match)
        self._replayed, self._show = replayed, show

    def add(self, event: Any, by: str | None = None) -> Any:
        notices = super().add(event, by)
        if by == BY_EYE:
            self._replayed.events.append(event_to_dict(event))
        self._show(len(self.match.log), notices, self.match)
        return notices


class _PressedAgain(LiveTable):
    """A table at which the recorded buttons are pressed, each before its frame."""

    def __init__(self, camera: RecordedCamera, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._camera = camera

    def see(self, frame: Frame) -> None:
        for press in self._camera.pressed:
            self.press(press)
        super().see(frame)


class _Explained:
    """Has followers say why they tell what they tell."""

    def __init__(self, tell: Callable[[Why], None]) -> None:
        self._tell = tell
        self._last: CardFollower | AutoFollower | None = None

    def follower(self, match: Match, settings: Settings) -> Follower:
        """Who follows a match."""
        following = follower_of(match, settings)
        if isinstance(following, CardFollower):
            self._listen(following)
        return following

    def auto(self, *told: Any) -> AutoFollower:
        """Who finds out what is played."""
        following = AutoFollower(*told)
        self._listen(following)
        return following

    def _listen(self, following: CardFollower | AutoFollower) -> None:
        self._last = following
        following.explain_to(self._tell)

    def end(self) -> None:
        """Why the last rest was read as it was."""
        if self._last is not None:
            self._last.explain()


def _replayed(
    recording: Recording, begun: Match | None, settings: Settings, show: Shown, explain: _Explained | None
) -> _Replayed:
    """Follows the recording's frames. CameraAway: its pictures cannot be read."""
    replayed = _Replayed()

    def begin(found: Settings) -> _Noting:
        head = begun.header if begun is not None else Match(found.game, found.players, found.house).header
        return _Noting(Match.of(head), replayed, show)

    camera = RecordedCamera(recording)
    kept = NotYet(settings) if begun is None else _Noting(begun, replayed, show)
    followers = {} if explain is None else {"follower": explain.follower, "auto": explain.auto}
    # What the device asked for is in the recording's match; here it asks for nothing.
    table = _PressedAgain(camera, kept, settings, begin, **followers, opponent=lambda match: None)
    try:
        run_through(camera, table, [])
        if explain is not None:
            explain.end()
    finally:
        camera.close()
    replayed.header = table.match.header
    return replayed


def _same(replayed: _Replayed, recording: Recording) -> bool:
    """Whether as much was told as when it was recorded. EventError: the recording's own events cannot be."""
    header = replayed.header
    assert header is not None
    if GAMES[header.game].grid is None:
        return list(map(_gist, replayed.events)) == list(map(_gist, recording.events))
    # Pictures that were packed to be kept are counted a little otherwise; what that tells must be the same.
    now, then = (recording.match() or Match.of(header) for _ in range(2))
    return _told_of_boards(now, replayed.events) == _told_of_boards(then, recording.events)


def _told_of_boards(match: Match, events: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    """What was played, and who was accused of what, by these boards alone."""
    for event in events:
        match.add(event)
    named = ("rule", "player", "key")
    return [(notice.code, *map(notice.facts.get, named)) for notice in match.notices if notice.level != ASK]


def _gist(event: dict[str, Any]) -> dict[str, Any]:
    """An event without what differs from reading to reading: how sure it was."""
    return {name: value for name, value in event.items() if name not in ("confidence", "likelihood")}
