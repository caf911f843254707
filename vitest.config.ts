import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Written out, because a workspace that is named by its folder alone inherits none of the limits below, nor takes them from the command line. */
const projects = globSync(
  ['packages/*', 'services/*', 'embedded', 'e2e', 'conformance', 'examples', 'bench', 'smoke'],
  {
    cwd: import.meta.dirname,
  },
).map((root) => ({ extends: true as const, root, test: { name: `@lending/${basename(root)}` } }));

export default defineConfig({
  // As Node resolves it for everybody: the bundlers' entry would be a second copy, whose schema the libraries do not take.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    // One database server for the whole run, started when the first test asks for it.
    globalSetup: ['packages/testing/src/global-setup.ts'],
    projects,
    // Limits that only a hang reaches: nothing here is a timed test, and a slow machine is no failure.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', ['json', { outputFile: '.cache/test-results.json' }]],
  },
});
