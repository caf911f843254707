/**
 * The venues behind P0's integration banks, in the order of their asset tags: what the lending program knows of each. A new venue is a
 * row here; the compiler names the tables by venue that then miss one.
 */
export const INTEGRATIONS = [
  { venue: 'kamino', word: 'Kamino', assetTag: 3, balanceDecimals: null },
  { venue: 'drift', word: 'Drift', assetTag: 4, balanceDecimals: 9 },
  { venue: 'solend', word: 'Solend', assetTag: 5, balanceDecimals: null },
  { venue: 'juplend', word: 'JupLend', assetTag: 6, balanceDecimals: null },
] as const satisfies readonly Integration[];

interface Integration {
  readonly venue: string;
  /** The spelling every door uses. */
  readonly word: string;
  /** What a bank's `config.assetTag` says when its money lies there. */
  readonly assetTag: number;
  /** Decimals that balances count in, whatever the mint has; null for the mint's. */
  readonly balanceDecimals: number | null;
}

type Row = (typeof INTEGRATIONS)[number];

/** A venue that P0 reaches through banks of its own. */
export type IntegrationVenue = Row['venue'];

/** One column of the table, by venue. */
export type ByIntegration<TColumn extends keyof Row> = { readonly [TRow in Row as TRow['venue']]: TRow[TColumn] };

export function columnByIntegration<TColumn extends keyof Row>(column: TColumn): ByIntegration<TColumn> {
  return Object.fromEntries(INTEGRATIONS.map((row) => [row.venue, row[column]])) as unknown as ByIntegration<TColumn>;
}

/** The row of an asset tag; undefined for P0's own pools and for a tag this build has not heard of. */
export function integrationOfTag(assetTag: number): Row | undefined {
  return INTEGRATIONS.find((row) => row.assetTag === assetTag);
}
