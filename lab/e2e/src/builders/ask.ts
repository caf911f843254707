import type { ActionRequest, LeverageRequest } from '@lending/api';
import { toUiAmount } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Pair } from './pairs.ts';

const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };

/** A request as the tools read one, with nothing in it that it does not name. */
export function ask(
  kind: ActionRequest['kind'],
  authority: Address,
  rest: Partial<Omit<ActionRequest, 'kind' | 'authority'>> = {},
): ActionRequest {
  const { account = null, bank = null, amount = null, policy = NO_POLICY, priorityFee = 'medium' } = rest;
  const { version = 0, accountIndex = null } = rest;
  return { kind, authority, account, bank, amount, policy, priorityFee, version, accountIndex };
}

export type ActionKind = Exclude<ActionRequest['kind'], 'create_account'>;

/** The same for an action with so many base units of a bank's token. */
export function askAt(
  kind: ActionKind,
  authority: Address,
  bank: P0Bank,
  amount: bigint | 'all',
  rest: Partial<Omit<ActionRequest, 'kind' | 'authority' | 'bank' | 'amount'>> = {},
): ActionRequest {
  return ask(kind, authority, { ...rest, bank: bank.address, amount: textOf(amount, bank) });
}

/** What a request may say besides what it is about. */
export type AskedBesides = Partial<
  Pick<LeverageRequest, 'account' | 'policy' | 'priorityFee' | 'version' | 'createsAccount' | 'surplus'>
>;

/** A loop; the principal in base units. */
export function askLoop(
  authority: Address,
  pair: Pair,
  principal: bigint,
  leverage: string,
  rest: AskedBesides = {},
): LeverageRequest {
  return { ...plain(authority, pair, rest), kind: 'loop', amount: textOf(principal, pair.deposit), leverage } as const;
}

/** A close of so many base units of the debt. */
export function askClose(
  authority: Address,
  pair: Pair,
  repay: bigint | 'all',
  rest: AskedBesides = {},
): LeverageRequest {
  const amount = textOf(repay, pair.borrow);
  return { ...plain(authority, pair, rest), kind: 'close_position', amount, leverage: null } as const;
}

function plain(authority: Address, { deposit, borrow }: Pair, rest: AskedBesides) {
  const { account = null, policy = NO_POLICY, priorityFee = 'medium', version = 0 } = rest;
  const { createsAccount = false, surplus = 'wallet' } = rest;
  const banks = { depositBank: deposit.address, borrowBank: borrow.address };
  const pinned = { accountIndex: null, pinnedSwaps: [] };
  return { authority, account, policy, priorityFee, version, createsAccount, surplus, ...banks, ...pinned } as const;
}

function textOf(amount: bigint | 'all', { decimals }: P0Bank): string {
  return amount === 'all' ? amount : toUiAmount(amount, decimals);
}
