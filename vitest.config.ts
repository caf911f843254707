import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: ['packages/*', 'services/*', 'embedded', 'e2e', 'conformance'],
  },
});
