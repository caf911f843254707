/** When each pair was quoted, as the tables keep it. */
export interface QuotedRow {
  readonly in_mint: string;
  readonly out_mint: string;
  readonly slot_time: Date;
}

/** By `inMint:outMint`, ms since 1970. */
export function toRecalledQuotes(rows: readonly QuotedRow[]): ReadonlyMap<string, number> {
  return new Map(rows.map((row) => [`${row.in_mint}:${row.out_mint}`, row.slot_time.getTime()]));
}
