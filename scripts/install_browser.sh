#!/bin/sh
# Installs Debian's chromium for the browser tests where that is possible. They are skipped where there is none.
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo 'Installing chromium for the browser tests…'
  export DEBIAN_FRONTEND=noninteractive
  { apt-get update && apt-get install --yes --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0
fi
echo 'No chromium here, and it could not be installed: the browser tests are skipped.' >&2
exit 0
