#!/bin/sh
# The browser on one processor only, which it then says is all there is.
exec taskset -c 0 "$CHROMIUM" "$@"
