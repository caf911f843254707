#!/usr/bin/env bash
# Brings a release into the cluster that kubectl points at: first what it stands on, the topics and the tables, then the services, one pod after the
# other. A release whose jobs fail, or whose pods do not get ready, leaves the one before serving.
#   infra/kubernetes/release.sh infra/kubernetes/overlays/production
set -euo pipefail

overlay=${1:?name the overlay: infra/kubernetes/overlays/production}
namespace=lending
patience=${PATIENCE:-15m}

manifests=$(kubectl kustomize "$overlay")
# A job that ran cannot be changed, nor run again.
kubectl -n "$namespace" delete job migrate create-topics --ignore-not-found --wait
kubectl apply -l 'lending-agent-service/phase!=run' -f - <<<"$manifests"
# Both ends: waiting for the good one alone would go on for all its patience after the bad one.
kubectl -n "$namespace" wait --for=jsonpath='{.status.conditions[?(@.status=="True")].type}' --timeout="$patience" job/migrate job/create-topics
for job in migrate create-topics; do
  if [[ $(kubectl -n "$namespace" get job "$job" -o jsonpath='{.status.conditions[?(@.type=="Failed")].status}') == True ]]; then
    echo "The job $job failed; nothing was released: kubectl -n $namespace logs job/$job" >&2
    exit 1
  fi
done
kubectl apply -f - <<<"$manifests"
for service in rate-poller indexer api; do
  kubectl -n "$namespace" rollout status --timeout="$patience" "deployment/$service"
done
