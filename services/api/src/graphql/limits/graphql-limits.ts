/** What one request to /graphql may take. */
export interface GraphqlLimits {
  /** Values that an answer may hold, with what finding them takes. */
  readonly maxCost: number;
  /** Selections below each other. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  /** Words and signs of a document. */
  readonly maxTokens: number;
  /** How long a query is worked on. */
  readonly timeoutMs: number;
}

export const DEFAULT_GRAPHQL_LIMITS: GraphqlLimits = {
  maxCost: 50_000,
  maxDepth: 14,
  maxAliases: 30,
  maxTokens: 2_000,
  timeoutMs: 10_000,
};

/** Directives change nothing here but @skip and @include; more of them are a mistake or an attack. */
export const MAX_DIRECTIVES = 30;
