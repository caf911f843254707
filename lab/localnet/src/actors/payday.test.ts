import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenAccountOf } from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { findSwapVault } from '#programs/swap/swap-pool.ts';
import { amountOf, setAmount } from '#programs/token/token-state.ts';
import { createDice } from './dice.ts';
import { MarketView } from './market-view.ts';
import { payday } from './payday.ts';
import { createPopulation } from './population.ts';
import type { Role } from './role.ts';
import { sendTransaction } from './send-transaction.ts';

let ledger: OpenedLocalnet['ledger'];
beforeEach(async () => {
  ({ ledger } = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null }));
});

/** The actor of a name, with the accounts of the token it lives on: its own and the swap pool's. */
function personOf(name: string) {
  const role = createPopulation().find((citizen) => citizen.role.actor.name === name)?.role;
  if (role === undefined) throw new Error(`There is no ${name}`);
  const token = DEMO_TOKENS[role.mainstay.token];
  return { role, purse: tokenAccountOf(role.actor.wallet, token), vault: findSwapVault(token.mint).address };
}

const stateOf = (address: Address) => ledger.account(address) ?? expect.unreachable(`${address} is not there`);
const held = (address: Address) => amountOf(stateOf(address).data);
const viewNow = () => new MarketView(ledger, ledger.slot('processed'));
const pay = (role: Role) => payday(ledger, viewNow(), role);

/** Leaves so many base units in an account; of wrapped SOL as many lamports go. */
function leave(address: Address, amount: bigint, isSol: boolean): void {
  const state = stateOf(address);
  const data = state.data.slice();
  setAmount(data, amount);
  const lamports = isSol ? state.lamports + amount - held(address) : state.lamports;
  ledger.writeAccounts([[address, { ...state, data, lamports }]]);
}

describe('payday', () => {
  it.each([
    'lender of PYUSD 1',
    'lender of SOL 2',
    'careful borrower of USDC on cbBTC',
    'reckless borrower of USDT on JUP',
    'looper of INF on SOL',
    'liquidator',
  ])('gives %s back from the pool what is gone, lamports of wrapped SOL included', (name) => {
    const { role, purse, vault } = personOf(name);
    const isSol = role.mainstay.token === 'SOL';
    const [before, pool, endowment] = [stateOf(purse), stateOf(vault), held(purse)];
    leave(purse, endowment / 3n, isSol);
    pay(role);
    expect(stateOf(purse)).toEqual(before);
    const given = endowment - endowment / 3n;
    expect(held(vault)).toBe(amountOf(pool.data) - given);
    expect(stateOf(vault).lamports).toBe(pool.lamports - (isSol ? given : 0n));
  });

  it('gives nothing to who has half of it, deposits included', () => {
    const { role, purse, vault } = personOf('lender of SOL 2');
    const [endowment, pool] = [held(purse), stateOf(vault)];
    sendTransaction(ledger, role.actor, role.act(viewNow(), createDice('first')) ?? []);
    const supplied = endowment - held(purse);
    expect(supplied).toBeGreaterThan(0n);
    // Two units more than half, since what was supplied is rounded down.
    const missing = endowment / 2n + 2n - supplied;
    leave(purse, missing > 0n ? missing : 0n, true);
    pay(role);
    expect(stateOf(vault)).toBe(pool);
  });

  it('pays no more than the pool has', () => {
    const { role, purse, vault } = personOf('looper of USDT on USDC');
    leave(vault, 5n, false);
    leave(purse, 0n, false);
    pay(role);
    expect([held(purse), held(vault)]).toEqual([5n, 0n]);
  });

  it('pays for fees when half of them are spent', () => {
    const { role } = personOf('liquidator');
    const { wallet } = role.actor;
    const before = stateOf(wallet);
    ledger.writeAccounts([[wallet, { ...before, lamports: before.lamports / 2n - 1n }]]);
    pay(role);
    expect(stateOf(wallet)).toEqual(before);
  });
});
