"""Makes what a release consists of; see .ci/release."""
