import { account } from '#layout/account.ts';
import { array, bytes, pubkey, u64, type ValueOf } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** The price is `value / 10^exp`; time in unix seconds. One that was never written is all zeros. */
const datedPrice = struct({
  price: struct({ value: u64, exp: u64 }),
  lastUpdatedSlot: u64,
  unixTimestamp: u64,
  genericData: bytes(24),
});

export type ScopePrice = ValueOf<typeof datedPrice>;

/** A table of prices. Names are the IDL's (0.40.0). */
export const scopePricesLayout = account('OraclePrices', { oracleMappings: pubkey, prices: array(datedPrice, 512) });
