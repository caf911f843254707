import { maxAliasesPlugin } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthPlugin } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesPlugin } from '@escape.tech/graphql-armor-max-directives';
import { maxTokensPlugin } from '@escape.tech/graphql-armor-max-tokens';
import type { Plugin } from 'graphql-yoga';
import { type GraphqlLimits, MAX_DIRECTIVES } from './graphql-limits.ts';

/** What a document may look like, whatever it asks. Fragments count for what they hold, so that they hide no depth and no aliases. */
export function limitDocument({ maxTokens, maxDepth, maxAliases }: GraphqlLimits): readonly Plugin[] {
  return [
    maxTokensPlugin({ n: maxTokens }),
    maxDepthPlugin({ n: maxDepth, flattenFragments: true }),
    maxAliasesPlugin({ n: maxAliases, allowList: [] }),
    maxDirectivesPlugin({ n: MAX_DIRECTIVES }),
  ] as Plugin[];
}
