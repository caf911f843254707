import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One database server for the whole run, started when the first test asks for it.
    globalSetup: ['packages/testing/src/global-setup.ts'],
    projects: ['packages/*', 'services/*', 'embedded', 'e2e', 'conformance'],
    reporters: ['default', ['json', { outputFile: '.cache/test-results.json' }]],
  },
});
