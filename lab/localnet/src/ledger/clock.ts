/** Where the chain's unix time comes from. */
export type ClockSource =
  /** The machine's clock. */
  | { readonly kind: 'real' }
  /** One instant for ever: a genesis from dumps stays at the moment its accounts were recorded. */
  | { readonly kind: 'frozen'; readonly unixTimestamp: bigint };

/** Seconds since 1970 of a new slot. Never before the previous slot's, whatever the machine's clock does. */
export function readClock(clock: ClockSource, previous: bigint, nowMs: () => number): bigint {
  switch (clock.kind) {
    case 'frozen':
      return clock.unixTimestamp;
    case 'real': {
      const now = BigInt(Math.floor(nowMs() / 1000));
      return now > previous ? now : previous;
    }
    default:
      return clock satisfies never;
  }
}
