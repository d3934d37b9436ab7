#!/bin/sh
# `llavero` in the packages for Linux. The commands need no display, which Chromium has to be told before it starts.
# As root Chromium only starts without its sandbox: that is for the commands, which load no page, and never for a window.
program="$(dirname "$(readlink -f "$0")")/llavero-bin"

command=window
for argument in "$@"; do
  case "$argument" in
    -*) continue ;;
    serve | check) command="$argument" ;;
  esac
  break
done

if [ "$command" = window ]; then
  if [ "$(id -u)" = 0 ]; then
    echo "Llavero opens no window as root, since Chromium's sandbox would have to be off. Start it as another user; the commands serve and check work as root." >&2
    exit 2
  fi
  exec "$program" "$@"
fi
if [ "$(id -u)" = 0 ]; then set -- --no-sandbox "$@"; fi
exec "$program" --ozone-platform=headless "$@"
