"""The connection to a broker: the only file that knows paho. Both tables and halls use it."""

import errno
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from device import words
from device.words.away import Away
from engine.errors import GameError

log = logging.getLogger(__name__)
PORTS = {"mqtt": 1883, "mqtts": 8883}
KEEPALIVE_S = 20
"""A broker tells of a table that went silent after one and a half times this."""
CONNECT_S = 5.0
BACK_AFTER_S = (1, 30)
"""Between tries to connect again: the first pause, and the longest."""
LEAVE_S = 1.0
"""For the broker to confirm what was said last, before the connection ends."""
SHORT_S = 20.0
"""A connection that ended sooner was hardly one. In a cluster a machine that died may still hold what belongs to this
client's name, and every other throws it out for that: it comes back under another one."""
AT_ONCE = 20
"""Messages on their way that the broker has not confirmed."""


class BrokerAway(Away):
    """The broker cannot be reached, or does not let this client in."""

    trouble = "broker_away"


@dataclass(frozen=True)
class Address:
    """Where a broker is, and who comes."""

    host: str
    port: int
    tls: bool = False
    user: str = ""
    password_file: str = ""
    ca_file: str = ""
    """Of the authority that signed the broker's certificate; without, those the system trusts."""

    @classmethod
    def of(cls, url: str, user: str = "", password_file: str = "", ca_file: str = "") -> "Address":
        """From mqtt://host or mqtts://host:port. ValueError: it is none."""
        split = urlsplit(url)
        if split.scheme not in PORTS or not split.hostname or split.path not in ("", "/"):
            raise GameError("not_a_broker", value=url)
        if split.password:
            raise GameError("password_in_address")
        port = split.port or PORTS[split.scheme]
        return cls(split.hostname, port, split.scheme == "mqtts", user or split.username or "", password_file, ca_file)

    @property
    def password(self) -> str | None:
        """What the file holds. OSError: it cannot be read."""
        return Path(self.password_file).read_text(encoding="utf-8").strip() if self.password_file else None

    @property
    def shown(self) -> str:
        """For messages."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Will:
    """What the broker tells everybody when this client is gone without a word."""

    topic: str
    payload: bytes


Heard = Callable[[str, bytes, bool], bool]
"""Topic, payload, and whether it is retained from before. False: not dealt with; the broker keeps it for another."""


class Link:
    """One client's connection. Comes back by itself once it was there; messages arrive in its own thread."""

    def __init__(
        self,
        address: Address,
        name: str,
        heard: Heard,
        topics: Sequence[str] = (),
        will: Callable[[], Will] | None = None,
        connected: Callable[[], None] = lambda: None,
        keep_session: bool = False,
        language: str = "en",
    ) -> None:
        """will: asked for before each connection. keep_session: the broker keeps messages for this client while it is
        away. language: of what is logged."""
        from paho.mqtt.client import Client, MQTTv311
        from paho.mqtt.enums import CallbackAPIVersion

        self._address, self._heard, self._connected, self._topics = address, heard, connected, tuple(topics)
        self._why: BrokerAway | None = None
        self._said = ""
        self._closed = self._patient = self._was_there = False
        self._name, self._names = name, None if keep_session else 0
        """What it is called, and how many names more it had; a session that is kept is kept under one name."""
        self._since_s: float | None = None
        """When it came to be there."""
        self._language = language
        client = Client(CallbackAPIVersion.VERSION2, name, not keep_session, protocol=MQTTv311, manual_ack=True)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_message = self._on_message
        client.max_inflight_messages_set(AT_ONCE)
        client.reconnect_delay_set(*BACK_AFTER_S)
        client.connect_timeout = CONNECT_S
        self._will = will
        client.on_pre_connect = self._on_pre_connect
        self._opening = threading.Lock()
        """Somebody opens, closes or renews it."""
        self._client = client

    def open(self, patient: bool = False) -> None:
        """Connects. patient: a broker that does not answer yet is waited for. BrokerAway: it could not."""
        address, self._patient = self._address, patient
        try:
            if address.user or address.password_file:
                self._client.username_pw_set(address.user or None, address.password)
            if address.tls:
                self._client.tls_set(address.ca_file or None)
            self._client.connect(address.host, address.port, KEEPALIVE_S)
        except (OSError, ValueError) as error:
            away = _away(address, error)
            if patient and isinstance(error, ConnectionError | TimeoutError | socket.gaierror):
                self._say("broker_waited", why=away.said(self._language))
                self._client.connect_async(address.host, address.port, KEEPALIVE_S)
                self._client.loop_start()
                return
            raise away from None
        self._client.loop_start()

    @property
    def there(self) -> bool:
        """Whether it is connected now."""
        return bool(self._client.is_connected())

    @property
    def why(self) -> BrokerAway | None:
        """Why it is not there, as far as that is known."""
        return self._why

    def send(self, topic: str, payload: bytes, retain: bool = False, qos: int = 1) -> None:
        """Sends a message as soon as it can be; while it is away only retained ones are worth keeping, and those are
        sent anew on coming back, so nothing is queued then."""
        if self.there:
            self._client.publish(topic, payload, qos=qos, retain=retain)

    @property
    def waiting(self) -> int:
        """Messages given to it that the broker has not confirmed."""
        return len(self._client._out_messages)

    def close(self) -> None:
        """Leaves with a word; harmless twice."""
        with self._opening:
            if not self._closed:
                self._closed = True
                self._leave()

    def _leave(self) -> None:
        until_s = time.monotonic() + LEAVE_S
        while self.waiting and self.there and time.monotonic() < until_s:
            time.sleep(0.01)
        self._client.disconnect()
        self._client.loop_stop()

    def again(self) -> None:
        """Leaves with a word and comes back at once, with another will. Not from a thread of its own."""
        with self._opening:
            if not self._closed and self.there:
                self._was_there = False  # It is not away: nobody is told.
                self._leave()
                self._client.connect_async(self._address.host, self._address.port, KEEPALIVE_S)
                self._client.loop_start()

    # -- what paho calls ---------------------------------------------------------------------------------------------

    def _on_pre_connect(self, client: Any, userdata: Any) -> None:
        if self._will is not None:
            will = self._will()
            client.will_set(will.topic, will.payload, qos=1, retain=True)

    def _on_connect(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        if reason.is_failure:
            self._kept_out(BrokerAway("broker_not_let_in", place=self._address.shown, why=reason))
            return
        self._why, self._was_there, self._said = None, True, ""
        self._since_s = time.monotonic()
        for topic in self._topics:
            client.subscribe(topic, qos=1)
        self._connected()

    def _on_disconnect(self, client: Any, userdata: Any, flags: Any, reason: Any, properties: Any) -> None:
        self._take_another_name()
        if not self._closed and self._was_there:
            self._was_there = False
            self._kept_out(BrokerAway("broker_went", place=self._address.shown, why=reason))

    def _take_another_name(self) -> None:
        """If the last connection was too short to be one."""
        short = self._since_s is None or time.monotonic() - self._since_s < SHORT_S
        self._since_s = None
        if short and self._names is not None:
            self._names += 1
            self._client._client_id = f"{self._name}-{self._names}".encode()

    def _kept_out(self, why: BrokerAway) -> None:
        self._why = why
        if self._patient:  # Else it is told by whoever is shown something.
            self._say(why.code, **why.facts)

    def _say(self, code: str, **facts: object) -> None:
        """Into the log, once for each thing."""
        said = BrokerAway(code, **facts).said(self._language)
        if said != self._said:
            log.warning("%s", said)
        self._said = said

    def _on_message(self, client: Any, userdata: Any, message: Any) -> None:
        try:
            done = self._heard(message.topic, message.payload, bool(message.retain))
        except Exception:
            log.exception("a message on %s could not be dealt with", message.topic)
            done = True
        if done:
            client.ack(message.mid, message.qos)


def _away(address: Address, error: OSError | ValueError) -> BrokerAway:
    """What keeps us from a broker, and what to do."""
    place = address.shown
    match error:
        case ssl.SSLError():
            return _not_trusted(address, error)
        case socket.gaierror():
            return BrokerAway("broker_no_host", host=address.host)
        case ConnectionResetError():
            return BrokerAway("broker_no_tls" if address.tls else "broker_silent", place=place)
        case OSError() if (code := _NO_WAY.get(error.errno or 0)) is not None or isinstance(error, TimeoutError):
            return BrokerAway(code or "broker_late", place=place)
        case OSError() if error.filename or (address.tls and error.errno == errno.ENOENT):
            path = error.filename or address.ca_file
            return BrokerAway("broker_file", place=place, path=path, why=lambda lang: words.what_helps(error, lang))
        case UnicodeDecodeError():
            return BrokerAway("broker_file", place=place, path=address.password_file, why=_telling("no_text"))
    return BrokerAway("broker_odd", place=place, why=error)


def _not_trusted(address: Address, error: ssl.SSLError) -> BrokerAway:
    """What keeps us from trusting a broker."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return BrokerAway("broker_not_trusted", place=address.shown, why=error.verify_message)
    if "certificate" in str(error).lower() or "crl" in str(error).lower():
        return BrokerAway("broker_file", place=address.shown, path=address.ca_file, why=_telling("no_certificate"))
    return BrokerAway("broker_no_tls", place=address.shown)


_NO_WAY = {
    errno.ECONNREFUSED: "broker_refused",
    errno.ETIMEDOUT: "broker_late",
    errno.ENETUNREACH: "broker_no_network",
    errno.EHOSTUNREACH: "broker_no_network",
}
"""How the network says that a broker cannot be reached."""


def _telling(code: str) -> Callable[[str], str]:
    return lambda language: words.say(language, f"away-{code}")
