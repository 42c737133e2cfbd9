#!/bin/sh
# Short storms, flat out, with a collector that is stopped twice, and with a
# viewer that is given up, held against what their processes know:
# tests/outside/storm.sh.
cd "$(dirname "$0")/../.." || exit 1
KINDS='flat stopped behind' MESSAGES=80000 exec sh tests/outside/storm.sh
