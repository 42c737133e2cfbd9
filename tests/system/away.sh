#!/bin/sh
# monitord is away for a second, killed; what it logs then is what it would
# have logged.  tests/bench/away.sh does it at length.
sh "$(dirname "$0")/../bench/away.sh" "${SECONDS_AWAY:-1}" "${RATE:-60000}" "${HOW:-kill}"
