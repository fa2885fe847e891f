#!/bin/sh
# Installs Debian's chromium for the browser tests where that is possible. They are skipped where there is none.
for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo 'Installing chromium for the browser tests…'
  export DEBIAN_FRONTEND=noninteractive
  apt-get update >/dev/null 2>&1
  # The first needs less CPU, but isn't in every release.
  for name in chromium-headless-shell chromium; do
    apt-get install --yes --no-install-recommends "$name" >/dev/null 2>&1 && exit 0
  done
fi
echo 'No chromium here, and it could not be installed: the browser tests are skipped.' >&2
exit 0
