"""Programs that measure, record and try out: run by hand, and used by the tests. No part of what is installed."""
