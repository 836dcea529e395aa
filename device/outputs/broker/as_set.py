"""The broker of the settings as they are now: changed on the page, the table is on another one, or on none, at once."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from device.following.press import Press
from device.following.request import Request
from device.following.show import Show
from device.keeping.settings import Settings

if TYPE_CHECKING:
    from device.outputs.broker.output import Broker
    from device.web.pairing import Pairing

KEYS = ("broker", "broker_on", "broker_user", "broker_password", "broker_ca", "broker_buttons", "table")


class BrokerAsSet:
    """An output that nothing is sent on while no broker is set, and an input then too."""

    name = "broker"
    trouble = "broker_away"

    def __init__(
        self, settings: Callable[[], Settings], pairing: "Pairing | None" = None, by_asking: bool = False
    ) -> None:
        """settings: asked before each show. pairing: the page's, if there is one. by_asking: a hall that asks is shown
        a code for, since there is nothing to press."""
        self._settings, self._pairing, self._by_asking = settings, pairing, by_asking
        self._set: tuple[object, ...] = ()
        self._broker: Broker | None = None
        self._put: Callable[[Press | Request], None] | None = None

    def listen(self, put: Callable[[Press | Request], None]) -> "BrokerAsSet":
        """Puts what a hall asks for to the table."""
        self._put = put
        if self._broker is not None:
            self._broker.listen(put)
        return self

    def let_in(self) -> None:
        """Somebody at the device lets a hall in: the code for it is shown, unless the page shows one."""
        if self._broker is not None and self._pairing is None:
            self._broker.pairing.open()

    def show(self, show: Show) -> None:
        """Has it sent, if there is a broker. OSError: nobody takes it now."""
        settings = self._settings()
        wanted = tuple(getattr(settings, key) for key in KEYS)
        if wanted != self._set:
            self.close()
            self._broker = self._made(settings)
            self._set = wanted
        if self._broker is not None:
            self._broker.show(show)

    def _made(self, settings: Settings) -> "Broker | None":
        if not settings.broker or not settings.broker_on:
            return None
        from device.outputs.broker.link import BrokerAway
        from device.outputs.broker.output import broker_of

        try:
            broker = broker_of(settings, self._pairing, self._by_asking)
        except ValueError as error:
            raise BrokerAway("broker_address", why=error) from None
        return broker if self._put is None else broker.listen(self._put)

    def close(self) -> None:
        """Says goodbye; harmless twice."""
        if self._broker is not None:
            self._broker.close()
        self._broker, self._set = None, ()
