#!/usr/bin/env bash
# Makes sure that the tests can start a real Kafka broker: with Java 17 and Maven. Installs them where it may.
set -euo pipefail

has_java() {
  local version
  version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  [ "${version:-0}" -ge 17 ]
}
has_maven() { mvn --version >/dev/null 2>&1; }

if has_java && has_maven; then
  echo "Kafka runs on the machine's Java"
elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends default-jdk-headless maven
  if ! has_java; then
    echo 'Kafka needs Java 17 or newer; the package installed is older' >&2
    exit 1
  fi
else
  echo 'Kafka needs Java 17 and Maven: apt-get install default-jdk-headless maven' >&2
  exit 1
fi
