#!/bin/sh
# In an image: installs what the lock file says, then removes what does not run. Arguments: packages, as patterns below node_modules, that
# this image's service never loads.
set -eu
npm ci --omit=dev
rm install.sh
cd node_modules
for unused in "$@" '@triton-one/*-musl' '@graphql-yoga/render-graphiql/cjs' zod/src; do
  # Unquoted: a pattern names what is there.
  rm -rf $unused
done
# Types, maps of sources, pages to read; what browsers and React Native load; other people's tests.
find . -type f -regex '.*\.\(map\|md\|d\.[cm]?ts\)' -delete
find ./@solana* -type f -regex '.*\.\(browser\|native\)\.[cm]?js' -delete
find . -type d -regex '.*/node_modules/\(@[^/]*/\)?[^/]*/\(test\|tests\|__tests__\|benchmarks?\|examples?\)' -prune -exec rm -r {} +
find . -mindepth 2 -maxdepth 3 -type d -regex '\./\(@[^/]*/\)?[^/@]*/\(test\|tests\|__tests__\|benchmarks?\|examples?\)' -prune -exec rm -r {} +
