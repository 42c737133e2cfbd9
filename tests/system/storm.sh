#!/bin/sh
# Short storms, flat out and with a collector that is stopped twice, held
# against what their processes know: tests/outside/storm.sh.
cd "$(dirname "$0")/../.." || exit 1
KINDS='flat stopped' MESSAGES=80000 exec sh tests/outside/storm.sh
