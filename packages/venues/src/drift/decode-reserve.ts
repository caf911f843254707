import { LendingError } from '@lending/errors';
import {
  DRIFT_PROGRAM,
  type DriftSpotMarket,
  type DriftState,
  type DriftUser,
  driftSpotMarketLayout,
  driftStateLayout,
  driftUserLayout,
} from '@lending/programs';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';

const MARKET_SHAPE = {
  kind: 'Drift spot market',
  owner: DRIFT_PROGRAM,
};
const STATE_SHAPE = {
  kind: 'Drift state',
  owner: DRIFT_PROGRAM,
};
/** Nine decimals of a scaled balance and ten of its index: with more than these the program fails at every amount. */
const MAX_DECIMALS = 19;

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE */
export function decodeReserve(account: AccountBytes): DriftSpotMarket {
  const market = decodeAccount(account, MARKET_SHAPE, driftSpotMarketLayout);
  if (market.decimals > MAX_DECIMALS) {
    throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
      message: `Drift spot market ${account.address} has ${market.decimals} decimals, the program works with up to ${MAX_DECIMALS}`,
      context: { address: account.address, decimals: market.decimals },
    });
  }
  return market;
}

/** @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeExchange(account: AccountBytes): DriftState {
  return decodeAccount(account, STATE_SHAPE, driftStateLayout);
}

/** What one owner has at Drift. @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED */
export function decodeUser(account: AccountBytes): DriftUser {
  return decodeAccount(account, { kind: 'Drift user', owner: DRIFT_PROGRAM }, driftUserLayout);
}
