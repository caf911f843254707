#!/usr/bin/env bash
# Makes sure that the tests can drive a real browser: a Chromium or Chrome of the system. Installs Debian's where it may.
set -euo pipefail

has_browser() {
  [ -x "${CHROMIUM_PATH:-}" ] && return
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return
  done
  [ -x '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' ] || [ -x '/Applications/Chromium.app/Contents/MacOS/Chromium' ]
}

if has_browser; then
  echo 'pages are opened in the Chromium of this machine'
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium
else
  echo 'the pages need a Chromium: apt-get install chromium, or CHROMIUM_PATH=/path/to/chrome' >&2
  exit 1
fi
