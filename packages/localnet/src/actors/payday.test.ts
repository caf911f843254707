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

const ROLES = createPopulation().map(({ role }) => role);
let ledger: OpenedLocalnet['ledger'];
beforeEach(async () => {
  ({ ledger } = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null }));
});

function roleOf(name: string): Role {
  const role = ROLES.find(({ actor }) => actor.name === name);
  if (role === undefined) throw new Error(`Nobody is called ${name}`);
  return role;
}

function stateOf(address: Parameters<typeof ledger.account>[0]) {
  const state = ledger.account(address);
  if (state === undefined) throw new Error(`${address} is not there`);
  return state;
}

function purseOf({ actor, mainstay }: Role) {
  return tokenAccountOf(actor.wallet, DEMO_TOKENS[mainstay.token]);
}

function vaultOf({ mainstay }: Role) {
  return findSwapVault(DEMO_TOKENS[mainstay.token].mint).address;
}

/** Leaves a wallet with so many base units; returns how many it began with. */
function leave(role: Role, amount: (endowment: bigint) => bigint): bigint {
  const state = stateOf(purseOf(role));
  const endowment = amountOf(state.data);
  const data = state.data.slice();
  setAmount(data, amount(endowment));
  const lost = role.mainstay.token === 'SOL' ? endowment - amount(endowment) : 0n;
  ledger.writeAccounts([[purseOf(role), { ...state, data, lamports: state.lamports - lost }]]);
  return endowment;
}

function pay(role: Role): void {
  payday(ledger, new MarketView(ledger, ledger.slot('processed')), role);
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
    const role = roleOf(name);
    const [purse, vault] = [stateOf(purseOf(role)), stateOf(vaultOf(role))];
    const endowment = leave(role, (all) => all / 3n);
    pay(role);
    expect(stateOf(purseOf(role))).toEqual(purse);
    const given = endowment - endowment / 3n;
    expect(amountOf(stateOf(vaultOf(role)).data)).toBe(amountOf(vault.data) - given);
    expect(stateOf(vaultOf(role)).lamports).toBe(vault.lamports - (role.mainstay.token === 'SOL' ? given : 0n));
  });

  it('gives nothing to who has half of it, deposits included', () => {
    const role = roleOf('lender of SOL 1');
    leave(role, (all) => all / 2n + 1n);
    const before = stateOf(vaultOf(role));
    pay(role);
    expect(stateOf(vaultOf(role))).toBe(before);

    const depositor = roleOf('lender of SOL 2');
    const endowment = amountOf(stateOf(purseOf(depositor)).data);
    const slot = ledger.slot('processed');
    const instructions = depositor.act(new MarketView(ledger, slot), createDice('first'));
    sendTransaction(ledger, depositor.actor, instructions ?? []);
    const supplied = endowment - amountOf(stateOf(purseOf(depositor)).data);
    expect(supplied).toBeGreaterThan(0n);
    // Two units more than half, since what was supplied is rounded down.
    const missing = endowment / 2n + 2n - supplied;
    const held = missing > 0n ? missing : 0n;
    leave(depositor, () => held);
    pay(depositor);
    expect(amountOf(stateOf(purseOf(depositor)).data)).toBe(held);
  });

  it('pays no more than the pool has', () => {
    const role = roleOf('looper of USDT on USDC');
    const state = stateOf(vaultOf(role));
    const data = state.data.slice();
    setAmount(data, 5n);
    ledger.writeAccounts([[vaultOf(role), { ...state, data }]]);
    leave(role, () => 0n);
    pay(role);
    expect(amountOf(stateOf(purseOf(role)).data)).toBe(5n);
    expect(amountOf(stateOf(vaultOf(role)).data)).toBe(0n);
  });

  it('pays for fees when half of them are spent', () => {
    const { actor } = roleOf('liquidator');
    const wallet = stateOf(actor.wallet);
    ledger.writeAccounts([[actor.wallet, { ...wallet, lamports: wallet.lamports / 2n - 1n }]]);
    pay(roleOf('liquidator'));
    expect(stateOf(actor.wallet)).toEqual(wallet);
  });
});
