import type { AccountState } from '#engine/engine.ts';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { findSwapVault } from '#programs/swap/swap-pool.ts';
import { amountOf, NATIVE_MINT, setAmount } from '#programs/token/token-state.ts';
import type { ActorLedger } from './actor-ledger.ts';
import type { MarketView } from './market-view.ts';
import { smaller, suppliedTo } from './position.ts';
import type { Role } from './role.ts';

/** What a wallet begins with, for fees. */
export const LAMPORTS = 1_000_000_000_000n;

/**
 * Gives somebody back what they began with once less than half of it is left, outside any transaction, as prices are written. Trades and
 * liquidations cost, and what they cost ends in the swap pools: from there it returns, so that nobody is out of money after a day and the
 * tokens in existence stay the same.
 */
export function payday(ledger: ActorLedger, view: MarketView, { actor, mainstay, tokens }: Role): void {
  const wallet = ledger.account(actor.wallet);
  if (wallet !== undefined && wallet.lamports < LAMPORTS / 2n) {
    ledger.writeAccounts([[actor.wallet, { ...wallet, lamports: LAMPORTS }]]);
  }
  const endowment = tokens[mainstay.token] ?? 0n;
  const token = DEMO_TOKENS[mainstay.token];
  const held = view.tokens(actor.wallet, token);
  if (held >= endowment / 2n) return;
  const account = view.account(actor.account);
  const left = held + (account === null ? 0n : suppliedTo(view, account, mainstay.address));
  if (left >= endowment / 2n) return;
  const [to, from] = [tokenAccountOf(actor.wallet, token), findSwapVault(token.mint).address];
  const [purse, vault] = [ledger.account(to), ledger.account(from)];
  if (purse === undefined || vault === undefined) return;
  const amount = smaller(endowment - left, amountOf(vault.data));
  if (amount === 0n) return;
  const isNative = token.mint === NATIVE_MINT;
  ledger.writeAccounts([
    [from, credit(vault, -amount, isNative)],
    [to, credit(purse, amount, isNative)],
  ]);
}

/** Wrapped SOL is lamports, too. */
function credit(state: AccountState, by: bigint, isNative: boolean): AccountState {
  const data = state.data.slice();
  setAmount(data, amountOf(data) + by);
  return { ...state, data, lamports: isNative ? state.lamports + by : state.lamports };
}
