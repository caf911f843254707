/** What one size of a swap gives, base units as decimal text; `outBase` is after all fees. Stored as JSON, as it is told. */
export interface SwapQuoteRung {
  readonly inBase: string;
  readonly outBase: string;
  readonly aggregator: 'jupiter' | 'dflow';
}
