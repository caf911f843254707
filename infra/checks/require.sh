#!/usr/bin/env bash
# Makes sure that compose files and manifests can be checked without an engine or a cluster: compose's own reader, kustomize, Kubernetes'
# schemas, and those of the operators whose resources we write. All of it ends in .cache/checks.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$PWD/.cache/checks
kustomize=sigs.k8s.io/kustomize/kustomize/v5@v5.8.0
keda=github.com/kedacore/keda/v2@v2.20.2
prometheus_operator=github.com/prometheus-operator/prometheus-operator@v0.85.0
# It carries the schemas of Kubernetes 1.25 to 1.37.
kubernetes_schemas=kubernetes-validate==1.37.0

wanted=$(cat infra/checks/require.sh infra/checks/compose/main.go infra/checks/compose/go*.sum | cksum)
if [ "$(cat "$folder/installed" 2>/dev/null)" = "$wanted" ]; then
  echo 'compose files and manifests are checked by what is in .cache/checks'
  exit
fi

missing=()
command -v haproxy >/dev/null || missing+=(haproxy)
has_go() { command -v go >/dev/null && [ "$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')" -ge 24 ]; }
has_go || missing+=(golang-1.24-go)
command -v unzip >/dev/null || missing+=(unzip)
command -v python3 >/dev/null && python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" || true
    PATH=$PATH:/usr/lib/go-1.24/bin
  fi
  if ! has_go || ! command -v unzip >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
    echo 'compose files and manifests are checked with Go 1.24 or newer (https://go.dev/dl), unzip, pip of Python 3, and haproxy' >&2
    exit 1
  fi
fi

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/crds"
export GOFLAGS='-buildvcs=false -mod=readonly' GOBIN="$folder/bin"
# What reads the files in Compose 5, and in the last Compose 2 (2.40.3).
(cd infra/checks/compose && go build -o "$folder/bin/compose-check" . && go build -modfile go.v2.mod -o "$folder/bin/compose-check-v2" .)
GOFLAGS=-buildvcs=false go install "$kustomize"

# A module's own files, as its maker published them.
files_of() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",\?$/\1/p'; }
cd "$folder"
cp "$(files_of "$keda")"/config/crd/bases/keda.sh_*.yaml crds/
cp "$(files_of "$prometheus_operator")"/example/prometheus-operator-crd/monitoring.coreos.com_{podmonitors,servicemonitors,prometheusrules}.yaml crds/
chmod u+w crds/*

python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest wheel "$kubernetes_schemas"
unzip -q wheel/*.whl 'kubernetes_validate/kubernetes-json-schema/*' -d wheel
mv wheel/kubernetes_validate/kubernetes-json-schema schemas
rm -r wheel
echo "$wanted" >installed
ls bin
