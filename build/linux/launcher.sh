#!/bin/sh
# `llavero` in the packages for Linux. The commands need no display, which Chromium has to be told before it starts.
# As root Chromium only starts without its sandbox: that is for the commands, which load no page, and never for a window.
program="$(dirname "$(readlink -f "$0")")/llavero-bin"

command=window
for argument in "$@"; do
  case "$argument" in
    --help | -h | --version) command="$argument" ;;
    -*) continue ;;
    check | mock | serve | describe) command="$argument" ;;
  esac
  break
done

# Chromium crashes without one. A display of another computer can only be tried.
has_display() {
  if [ -n "$WAYLAND_DISPLAY" ] || [ -S "${XDG_RUNTIME_DIR:-/nonexistent}/wayland-0" ]; then return 0; fi
  case "$DISPLAY" in
    '') return 1 ;;
    :*) number="${DISPLAY#:}" ;;
    *) return 0 ;;
  esac
  socket="/tmp/.X11-unix/X${number%.*}"
  [ -S "$socket" ] || grep -qs "$socket\$" /proc/net/unix
}

# Older libraries have not all that Chromium calls, and the loader says so with a line for each.
libc="$(getconf GNU_LIBC_VERSION 2>/dev/null)"
minor="${libc#glibc 2.}"
if [ "$minor" != "$libc" ] && [ "${minor%%.*}" -lt 25 ]; then
  echo "Llavero needs the GNU C library 2.25 or newer, and this system has $libc. Upgrade the system." >&2
  exit 2
fi
# Chromium ends at once where it cannot share memory there. With this it does so in the temporary folder.
if [ ! -w /dev/shm ]; then set -- --disable-dev-shm-usage "$@"; fi

if [ "$command" = window ]; then
  if [ "$(id -u)" = 0 ]; then
    echo "Llavero does not open a window as root, since that would turn off Chromium's sandbox. Start it as another user; the commands check, mock, serve and describe work as root." >&2
    exit 2
  fi
  if ! has_display; then
    echo "Llavero finds no display for its window (DISPLAY is '$DISPLAY', WAYLAND_DISPLAY is '$WAYLAND_DISPLAY'). The commands check, mock, serve and describe need none." >&2
    exit 2
  fi
  exec "$program" "$@"
fi
if [ "$(id -u)" = 0 ]; then set -- --no-sandbox "$@"; fi
exec "$program" --ozone-platform=headless "$@"
