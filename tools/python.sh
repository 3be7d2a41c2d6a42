#!/bin/sh
# Print the first interpreter that is Python 3.11 or newer and has venv and pip; candidates may be given as arguments.
set -u

suits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

can_make_environments() {
    "$1" -c 'import ensurepip, venv' 2>/dev/null
}

[ "$#" -gt 0 ] || set -- python3 python3.14 python3.13 python3.12 python3.11 python

crippled=
for candidate in "$@"; do
    suits "$candidate" || continue
    if can_make_environments "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
    crippled="$crippled $candidate"
done

if [ -n "$crippled" ]; then
    echo "turntable: these are new enough but lack venv or ensurepip:$crippled" >&2
    echo "turntable: install them (on Debian and Ubuntu the package is python3-venv)." >&2
else
    echo "turntable: Python 3.11 or newer is needed; tried: $*" >&2
    found=$(python3 --version 2>/dev/null) && echo "turntable: python3 here is $found." >&2
    echo "turntable: install one, or name it: make test PYTHON=/path/to/python3" >&2
fi
exit 1
