import type { LeverageRequest } from '@lending/api';
import { toUiAmount } from '@lending/domain';
import type { Address } from '@solana/kit';
import type { Pair } from './pairs.ts';

const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };

/** What a request may say besides what it is about. */
export type AskedBesides = Partial<
  Pick<LeverageRequest, 'account' | 'policy' | 'priorityFee' | 'version' | 'createsAccount' | 'surplus'>
>;

/** A loop as the tools read one, with nothing in it that was not asked for; the principal in base units. */
export function askLoop(
  authority: Address,
  { deposit, borrow }: Pair,
  principal: bigint,
  leverage: string,
  rest: AskedBesides = {},
): LeverageRequest {
  return {
    ...plain(authority, rest),
    kind: 'loop',
    depositBank: deposit.address,
    borrowBank: borrow.address,
    amount: toUiAmount(principal, deposit.decimals),
    leverage,
  };
}

/** A close of so many base units of the debt. */
export function askClose(
  authority: Address,
  { deposit, borrow }: Pair,
  repay: bigint | 'all',
  rest: AskedBesides = {},
): LeverageRequest {
  return {
    ...plain(authority, rest),
    kind: 'close_position',
    depositBank: deposit.address,
    borrowBank: borrow.address,
    amount: repay === 'all' ? repay : toUiAmount(repay, borrow.decimals),
    leverage: null,
  };
}

function plain(authority: Address, rest: AskedBesides) {
  const { account = null, policy = NO_POLICY, priorityFee = 'medium', version = 0 } = rest;
  const { createsAccount = false, surplus = 'wallet' } = rest;
  const pinned = { accountIndex: null, pinnedSwaps: [] };
  return { authority, account, policy, priorityFee, version, createsAccount, surplus, ...pinned } as const;
}
