import { printSchema } from 'graphql';
import { createGraphqlSchema } from './create-schema.ts';

const HEADER = '# What /graphql can be asked. Written by npm run schema:graphql; a test compares it.';

/** The schema as text, as `schema.graphql` keeps it: what changes for callers is then seen in a review. */
export function printGraphqlSchema(): string {
  return `${HEADER}\n\n${printSchema(createGraphqlSchema())}\n`;
}
