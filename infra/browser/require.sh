#!/usr/bin/env bash
# Makes sure that the tests can drive a real browser: a Chromium or Chrome of the system. Installs Debian's where it may; of those the one
# without windows, which takes half the processor time.
set -euo pipefail

has_browser() {
  [ -x "${CHROMIUM_PATH:-}" ] && return
  local name
  for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return
  done
  [ -x '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' ] || [ -x '/Applications/Chromium.app/Contents/MacOS/Chromium' ]
}

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

install() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1"
}

if [ ! -x "${CHROMIUM_PATH:-}" ] && ! command -v chromium-headless-shell >/dev/null && may_install; then
  install chromium-headless-shell || has_browser || install chromium
fi
if has_browser; then
  echo 'pages are opened in the Chromium of this machine'
else
  echo 'the pages need a Chromium: apt-get install chromium-headless-shell, or CHROMIUM_PATH=/path/to/chrome' >&2
  exit 1
fi
