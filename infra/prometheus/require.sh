#!/usr/bin/env bash
# Makes sure that the tests can ask a real Prometheus about the rules and dashboards. Installs Debian's where it may.
set -euo pipefail

if command -v prometheus >/dev/null && command -v promtool >/dev/null; then
  echo 'rules and dashboards are tried in the Prometheus of this machine'
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends prometheus
else
  echo 'the rules need Prometheus: apt-get install prometheus' >&2
  exit 1
fi
