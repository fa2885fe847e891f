#!/bin/sh
# Installs a requirements file into a virtual environment: scripts/install_packages.sh ENVIRONMENT REQUIREMENTS
# With uv, which is put into .venv where there is none: it takes seconds where pip takes minutes. pip is the fallback.
set -eu
environment=$1 requirements=$2
pip=".venv/bin/python -m pip --quiet --disable-pip-version-check"
command -v uv >/dev/null || [ -x .venv/bin/uv ] || $pip install --only-binary uv --requirement requirements-uv.txt || true
uv=$(command -v uv || echo .venv/bin/uv)
if [ -x "$uv" ]; then
  "$uv" pip install --quiet --python "$environment/bin/python" --requirement "$requirements" && exit
  echo 'uv could not install the packages; trying pip.' >&2
fi
# A lock holds every package. pip would look for their dependencies all the same, and refuses extras that the lock does not name.
$pip --python "$environment/bin/python" install --no-deps --requirement "$requirements"
