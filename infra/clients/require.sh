#!/usr/bin/env bash
# Makes sure that the tests can run the clients in PHP and Python: both languages, and PHP's curl. Installs Debian's where it may.
set -euo pipefail

has_php() { command -v php >/dev/null && php -r 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") ? 0 : 1);'; }
has_python() { command -v python3 >/dev/null && python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))'; }

wanted=()
has_php || wanted+=(php-cli php-curl)
has_python || wanted+=(python3)

if [ ${#wanted[@]} -eq 0 ]; then
  echo "clients are tried in this machine's $(php -r 'echo "PHP ", PHP_VERSION;') and $(python3 --version)"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}"
  if ! has_php || ! has_python; then
    echo 'the clients need PHP 8.2 with curl and Python 3.9, or newer; the packages installed are older' >&2
    exit 1
  fi
else
  echo "the clients in PHP and Python need: apt-get install ${wanted[*]}" >&2
  exit 1
fi
