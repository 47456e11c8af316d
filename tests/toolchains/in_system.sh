#!/bin/sh
# Runs a command in another system, in the current folder, which it sees at the same path. Needs root.
#
#   in_system.sh SYSTEM COMMAND [ARGUMENT...]   SYSTEM is a folder that debootstrap made
set -e
if [ "$1" != --inside ]; then
  exec unshare --mount "$0" --inside "$@"
fi
system=$2
shift 2
mkdir -p "$system$PWD"
mount --bind "$PWD" "$system$PWD"
# shellcheck disable=SC2016
exec chroot "$system" sh -ec 'cd "$0" && exec "$@"' "$PWD" "$@"
