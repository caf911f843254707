import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printGraphqlSchema } from './print-graphql-schema.ts';

describe('schema.graphql', () => {
  it('is the schema: npm run schema:graphql writes it anew', () => {
    const kept = readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8');
    expect(printGraphqlSchema()).toBe(kept);
  });
});
