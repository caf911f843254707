import { isSince, NEWEST_VERSION } from '@lending/programs';
import type { Address } from '@solana/kit';
import { onRampOf } from '../staked/on-ramp.ts';
import type { P0Bank } from './bank.ts';
import type { LoadOracleOptions } from './load-oracle.ts';
import { hasFeed, shapeOfSetup, tokenRateKey } from './oracle-setups.ts';

/**
 * The accounts a bank's price is read from, in the order the program takes them after the bank itself. Empty where the price needs
 * none.
 * @see marginfi-v2 programs/marginfi/src/state/price.rs `load_oracle_context_with_max_age`
 */
export function oracleAccountsOf(
  bank: P0Bank,
  { version = NEWEST_VERSION }: LoadOracleOptions = {},
): readonly Address[] {
  const { setup, keys } = bank.oracle;
  const [feed, second, third] = keys as [Address, Address, Address];
  const shape = shapeOfSetup(setup, version);
  switch (shape.kind) {
    case 'price': {
      const ofToken = shape.token === null ? [] : [tokenRateKey(shape)];
      const used = [...(hasFeed(shape.base) ? [0] : []), ...(shape.venue === null ? [] : [1]), ...ofToken];
      return used.map((key) => keys[key] as Address);
    }
    case 'staked':
      // Until the bank counts its on-ramp any account may stand there: one that is in the list already costs nothing.
      return isSince(version, '0.1.9') ? [feed, second, third, onRampOf(bank) ?? third] : [feed, second, third];
    case 'unusable':
      return [];
  }
}
