import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { ActionState, LiveAccounts } from '@lending/transactions';
import { oracleAccountsOf, readHolding, readPrice } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { TokenChange } from '../build.ts';

const SOL_DECIMALS = 9;

/**
 * What the wallet has more or less of: its lamports, with fees and rents in them, and its tokens of the action's mint. What does not
 * change is left out. Wrapped SOL that stays in its token account is a line of its own.
 */
export function tokenChanges(state: ActionState, after: LiveAccounts, symbol: string | null): readonly TokenChange[] {
  const { target, walletTokens, authority, lamports } = state;
  const priceUsd = target === null ? null : priceOf(state, after);
  const isSol = target?.mint.address === WRAPPED_SOL_MINT;
  const native: TokenChange = {
    mint: WRAPPED_SOL_MINT,
    symbol: 'SOL',
    decimals: SOL_DECIMALS,
    isNativeSol: true,
    deltaBase: (after.get(authority)?.lamports ?? 0n) - lamports,
    priceUsd: isSol ? priceUsd : null,
  };
  if (target === null || walletTokens === null) return [native].filter(isChange);
  const tokens: TokenChange = {
    mint: target.mint.address,
    symbol,
    decimals: target.mint.decimals,
    isNativeSol: false,
    deltaBase: amountOf(after, walletTokens.address) - (walletTokens.amountBase ?? 0n),
    priceUsd,
  };
  return [tokens, native].filter(isChange);
}

function isChange({ deltaBase }: TokenChange): boolean {
  return deltaBase !== 0n;
}

function amountOf(accounts: LiveAccounts, address: Address): bigint {
  const account = accounts.get(address);
  return account ? (readHolding(account)?.amountBase ?? 0n) : 0n;
}

/** Of one token of the target's mint, as its bank's oracle has it once the build has cranked it. */
function priceOf({ target }: ActionState, accounts: LiveAccounts): string | null {
  if (target === null) return null;
  const { slot, unixTimestamp } = accounts;
  const oracle = oracleAccountsOf(target.bank).map((each) => accounts.get(each) ?? null);
  const reading = readPrice(target.bank, oracle, { slot, unixTimestamp });
  return reading.kind === 'priced' ? reading.priceUsd : null;
}
