#!/usr/bin/env bash
# Makes sure that the tests can fuzz the interface as it is described: Schemathesis in a Python environment of the project's own.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=.cache/fuzzer
wanted=infra/fuzzer/requirements.txt

if [ -x "$folder/bin/st" ] && cmp -s "$wanted" "$folder/installed.txt"; then
  echo "the interface is fuzzed by $("$folder/bin/st" --version)"
  exit
fi
if ! python3 -c 'import ensurepip, sys; assert sys.version_info >= (3, 10)' 2>/dev/null; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 python3-venv
  else
    echo 'the fuzzer needs Python 3.10 or newer with venv: apt-get install python3-venv' >&2
    exit 1
  fi
fi
rm -rf "$folder"
python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$wanted"
"$folder/bin/st" --version
cp "$wanted" "$folder/installed.txt"
