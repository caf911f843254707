import { lendingAccountBorrowEvent, lendingAccountDepositEvent, lendingAccountWithdrawEvent } from '@lending/programs';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { amountOf } from '../../token/token-state.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
  addTransferFee({ basisPoints: 100, maximumFee: 30_000n });
});

const pyusd = () => chain.bank('PYUSD');
const held = (account: Address) => amountOf(chain.data(account));
const vault = () => held(pyusd().liquidityVault);
const inWallet = () => held(act.tokenAccountOf(party.wallet, act.tokenOf(pyusd())));
const list = () => chain.healthAccounts(party.account, { with: [pyusd().address] });

/** Gives the demo's PYUSD a transfer fee, and its accounts the room to keep it in. */
function addTransferFee(fee: { readonly basisPoints: number; readonly maximumFee: bigint }): void {
  const config = new Uint8Array(108);
  const view = new DataView(config.buffer);
  for (const start of [72, 90]) {
    view.setBigUint64(start + 8, fee.maximumFee, true);
    view.setUint16(start + 16, fee.basisPoints, true);
  }
  extend(DEMO_TOKENS.PYUSD.mint, 1, 1, config);
  for (const account of [pyusd().liquidityVault, act.tokenAccountOf(party.wallet, act.tokenOf(pyusd()))])
    extend(account, 2, 2, new Uint8Array(8));
}

function extend(address: Address, accountType: number, extension: number, value: Uint8Array): void {
  const state = chain.accounts.get(address);
  if (state === undefined) throw new TypeError(`${address} is not there`);
  const entry = Uint8Array.of(extension, 0, value.length, 0, ...value);
  const data = new Uint8Array(Math.max(state.data.length, 166) + entry.length);
  data.set(state.data);
  data[165] = accountType;
  data.set(entry, Math.max(state.data.length, 166));
  chain.accounts.set(address, { ...state, data, lamports: 10_000_000n });
}

describe('a bank whose token takes a fee of every transfer', () => {
  it('is sent more, so that what is credited arrives', () => {
    const before = { vault: vault(), wallet: inWallet() };
    const result = expectDone(chain.send(party.wallet, act.deposit(party, pyusd(), 990_000n)));
    expect(vault() - before.vault).toBe(990_000n);
    expect(before.wallet - inWallet()).toBe(1_000_000n);
    expect(eventsOf(result, lendingAccountDepositEvent)).toMatchObject([{ amount: 990_000n }]);
  });

  it('sends no more than the largest fee on top', () => {
    const before = inWallet();
    expectDone(chain.send(party.wallet, act.deposit(party, pyusd(), 4_000_000n)));
    expect(before - inWallet()).toBe(4_030_000n);
  });

  it('books what leaves the vault, fee included, when somebody withdraws or borrows', () => {
    expectDone(chain.send(party.wallet, act.deposit(party, pyusd(), 3_000_000n)));
    const before = { vault: vault(), wallet: inWallet() };
    const withdrawn = expectDone(chain.send(party.wallet, act.withdraw(party, pyusd(), 990_000n, list())));
    expect([before.vault - vault(), inWallet() - before.wallet]).toEqual([1_000_000n, 990_000n]);
    expect(eventsOf(withdrawn, lendingAccountWithdrawEvent)).toMatchObject([{ amount: 1_000_000n }]);

    const without = chain.healthAccounts(party.account, { without: [pyusd().address] });
    expectDone(chain.send(party.wallet, act.withdraw(party, pyusd(), 'all', without)));
    const borrowed = expectDone(chain.send(party.wallet, act.borrow(party, pyusd(), 990_000n, list())));
    expect(eventsOf(borrowed, lendingAccountBorrowEvent)).toMatchObject([{ amount: 1_000_000n }]);
  });

  it('refuses a first account that is no mint', () => {
    chain.edit(DEMO_TOKENS.PYUSD.mint, (data) => data.fill(0, 45, 46));
    expect(errorOf(chain.send(party.wallet, act.deposit(party, pyusd(), 1n)))).toBe('T22MintRequired');
  });
});
