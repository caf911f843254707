import { isSince, NEWEST_VERSION } from '@lending/programs';
import type { Address } from '@solana/kit';
import { onRampOf } from '../staked/on-ramp.ts';
import type { P0Bank } from './bank.ts';
import type { LoadOracleOptions } from './load-oracle.ts';
import { shapeOfSetup } from './oracle-setups.ts';

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
  const shape = shapeOfSetup(setup);
  switch (shape.kind) {
    case 'feed':
      return shape.rate === null ? [feed] : [feed, second];
    case 'fixed':
      return shape.rate === null ? [] : [second];
    case 'staked':
      // Until the bank counts its on-ramp any account may stand there: one that is in the list already costs nothing.
      return isSince(version, '0.1.9') ? [feed, second, third, onRampOf(bank) ?? third] : [feed, second, third];
    case 'unusable':
      return keys.slice(0, shape.keys);
  }
}
