import type { ActionRequest } from '@lending/api';
import { toUiAmount } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';

const NO_POLICY = { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null };

/** A request as the tools read one, with nothing in it that was not asked for. */
export function ask(
  kind: ActionRequest['kind'],
  authority: Address,
  rest: Partial<Omit<ActionRequest, 'kind' | 'authority'>> = {},
): ActionRequest {
  const { account = null, bank = null, amount = null, policy = NO_POLICY, priorityFee = 'medium' } = rest;
  const { version = 0, accountIndex = null } = rest;
  return { kind, authority, account, bank, amount, policy, priorityFee, version, accountIndex };
}

/** The same for an action with so many base units of a bank's token. */
export function askAt(
  kind: Exclude<ActionRequest['kind'], 'create_account'>,
  authority: Address,
  bank: P0Bank,
  amount: bigint | 'all',
  rest: Partial<Omit<ActionRequest, 'kind' | 'authority' | 'bank' | 'amount'>> = {},
): ActionRequest {
  const text = amount === 'all' ? amount : toUiAmount(amount, bank.decimals);
  return ask(kind, authority, { ...rest, bank: bank.address, amount: text });
}
