import { I80F48_ONE, integerToI80F48 } from '@lending/domain';
import {
  findAssociatedTokenAccount,
  findMarginfiAccount,
  LOOKUP_TABLE_PROGRAM,
  MARGINFI_PROGRAM,
  NO_KEY,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
} from '@lending/programs';
import { type Address, getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { reserveAddress, setKaminoBank } from '#testing/made-kamino.ts';
import {
  ACCOUNT,
  bankAddress,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  GROUP,
  type MadeMarket,
  madeAddress,
  mintAddress,
  WALLET,
} from '#testing/made-market.ts';
import { readMadePair } from '#testing/made-pair.ts';
import { question } from '#testing/read-made.ts';
import { createBankCache } from './bank-cache.ts';
import { protectedAccountsOf } from './protected-accounts.ts';
import { readActionState } from './read-action-state.ts';
import { type LeverageQuestion, readLeverageState } from './read-leverage-state.ts';
import { askFor, type ReadQuestion } from './read-question.ts';
import { sidesOf } from './sides-of.ts';

function marketOf(banks: number): MadeMarket {
  const market = createMadeMarket();
  for (let nth = 0; nth < banks; nth += 1) market.setBank(nth);
  return market;
}

async function warmCache(market: MadeMarket, banks: readonly number[]) {
  const cache = createBankCache();
  await cache.warm(market.chain, MARGINFI_PROGRAM, banks.map(bankAddress));
  market.asked.length = 0;
  return cache;
}

const read = (market: MadeMarket, fields: Partial<ReadQuestion>) =>
  readActionState(market.chain, createBankCache(), question(fields));
const derived = async (index: number) => (await findMarginfiAccount({ group: GROUP, authority: WALLET, index }))[0];
const depositIn = (nth: number) => askFor({ kind: 'deposit', bank: bankAddress(nth) });
const withdrawFrom = (nth: number) => askFor({ kind: 'withdraw', bank: bankAddress(nth) });

describe('readActionState', () => {
  it('takes one wave when the hints are right', async () => {
    const market = marketOf(3);
    market.setAccount([deposit(0, 5n), deposit(1, 7n)]);
    await market.setTokens(mintAddress(2), 42n);
    const cache = await warmCache(market, [0, 1, 2]);
    const hints = { knownAccounts: [ACCOUNT], heldBanks: [bankAddress(0), bankAddress(1)] };
    const state = await readActionState(market.chain, cache, question({ ...hints, ...depositIn(2) }));
    expect(state.waves).toBe(1);
    expect(market.asked).toHaveLength(1);
    expect([...state.held.keys()]).toEqual([bankAddress(0), bankAddress(1)]);
    expect(state.target?.vaultBase).toBe(600_000_000_000n);
    expect(state.target?.oracle.kind).toBe('loaded');
    expect(state.walletTokens?.amountBase).toBe(42n);
    expect(state.lamports).toBe(10_000_000_000n);
    expect(new Set(market.asked[0]).size).toBe(market.asked[0]?.length);
  });

  it('reads in a second wave what the hints lacked, and not a third time', async () => {
    const market = marketOf(3);
    market.setAccount([deposit(0, 5n), deposit(1, 7n)]);
    const cache = await warmCache(market, [0, 1, 2]);
    const hints = { knownAccounts: [ACCOUNT], heldBanks: [bankAddress(0)] };
    const asked = question({ ...hints, ...depositIn(2) });
    expect((await readActionState(market.chain, cache, asked)).waves).toBe(2);
    expect(market.asked[1]).toContain(bankAddress(1));
    expect(market.asked[1]).toContain(feedAddress(1));
  });

  it('reads a bank that nobody knew, and remembers what it asked for', async () => {
    const market = marketOf(1);
    market.setAccount([deposit(0, 5n)]);
    const cache = createBankCache();
    const asked = question({ knownAccounts: [ACCOUNT], heldBanks: [bankAddress(0)], ...withdrawFrom(0) });
    const first = await readActionState(market.chain, cache, asked);
    expect(first.waves).toBe(2);
    expect((await readActionState(market.chain, cache, asked)).waves).toBe(1);
  });

  it('asks a venue’s bank for all that is behind it, in the same wave', async () => {
    const market = marketOf(1);
    setKaminoBank(market, 1);
    market.setAccount([deposit(1, 5n)]);
    const hints = { knownAccounts: [ACCOUNT], heldBanks: [bankAddress(1)] };
    const cold = createBankCache();
    const asked = question({ ...hints, ...withdrawFrom(1) });
    // The bank names the reserve, the reserve the market.
    expect((await readActionState(market.chain, cold, asked)).waves).toBe(3);
    const state = await readActionState(market.chain, await warmCache(market, [0, 1]), asked);
    expect(state.waves).toBe(1);
    expect(state.target?.reserve).toMatchObject({ venue: 'kamino', address: reserveAddress(1) });
    expect(state.target?.vaultBase).toBeNull();
    expect(state.target?.oracle).toMatchObject({ kind: 'loaded', isVenueStale: true, isFeedStale: false });
  });

  it('warms up though some banks cannot be read', async () => {
    const market = marketOf(1);
    setKaminoBank(market, 1);
    setKaminoBank(market, 2);
    for (const broken of [reserveAddress(1), bankAddress(3)]) {
      const data = new Uint8Array(100).fill(1);
      market.put(broken, { owner: MARGINFI_PROGRAM, data });
    }
    const cache = await warmCache(market, [0, 1, 2, 3, 4]);
    const known = [0, 1, 2, 3, 4].map((nth) => cache.find(bankAddress(nth))?.accounts.target?.length ?? 0);
    expect(known).toEqual([4, 0, 5, 0, 0]);
  });

  it('follows a bank that changed its oracle', async () => {
    const market = marketOf(2);
    market.setAccount([]);
    const cache = await warmCache(market, [0]);
    market.setBank(0, { config: { oracleKeys: [feedAddress(1), NO_KEY, NO_KEY, NO_KEY, NO_KEY] } });
    const asked = question({ knownAccounts: [ACCOUNT], ...depositIn(0) });
    const state = await readActionState(market.chain, cache, asked);
    expect(state.target?.oracle.kind).toBe('loaded');
    expect(state.waves).toBe(2);
  });

  it('reads the bank as it is now, though another was remembered', async () => {
    const market = marketOf(1);
    market.setAccount([]);
    const cache = await warmCache(market, [0]);
    market.setBank(0, { totalLiabilityShares: integerToI80F48(77n) });
    const asked = question({ knownAccounts: [ACCOUNT], ...depositIn(0) });
    const state = await readActionState(market.chain, cache, asked);
    expect(state.target?.bank.shares.totalLiabilityShares).toBe(integerToI80F48(77n));
    expect(cache.find(bankAddress(0))?.bank.shares.totalLiabilityShares).toBe(integerToI80F48(77n));
  });

  it('finds the token account of a Token-2022 mint, and what the mint keeps', async () => {
    const market = createMadeMarket();
    market.setBank(0, {}, { tokenProgram: TOKEN_2022_PROGRAM, feeBasisPoints: 30 });
    market.setAccount([]);
    const state = await read(market, { knownAccounts: [ACCOUNT], ...depositIn(0) });
    expect(state.target?.mint).toMatchObject({
      tokenProgram: TOKEN_2022_PROGRAM,
      transferFee: { basisPoints: 30, maximumFeeBase: 10n ** 12n },
    });
    const [address] = await findAssociatedTokenAccount(WALLET, mintAddress(0), TOKEN_2022_PROGRAM);
    expect(state.walletTokens).toEqual({ address, amountBase: null, isFrozen: false });
  });

  it('keeps lookup tables for some minutes', async () => {
    const market = createMadeMarket();
    const table = madeAddress(7_777);
    market.put(table, { owner: LOOKUP_TABLE_PROGRAM, data: tableBytes([GROUP, WALLET]) });
    let now = 0;
    const cache = createBankCache(() => now);
    const asked = question({ lookupTables: [table] });
    const first = await readActionState(market.chain, cache, asked);
    expect(first.lookupTables).toEqual({ [table]: [GROUP, WALLET] });
    market.put(table, { owner: LOOKUP_TABLE_PROGRAM, data: tableBytes([GROUP]) });
    const second = await readActionState(market.chain, cache, asked);
    expect(second.lookupTables).toEqual({ [table]: [GROUP, WALLET] });
    expect(market.asked.at(-1)).not.toContain(table);
    now = 6 * 60_000;
    expect((await readActionState(market.chain, cache, asked)).lookupTables).toEqual({ [table]: [GROUP] });
  });
});

describe('which account is taken', () => {
  it('is the only one that is not disabled', async () => {
    const market = marketOf(1);
    market.setAccount([deposit(0, 5n)]);
    market.setAccount([], { accountFlags: 1n }, await derived(0));
    const state = await read(market, { knownAccounts: [ACCOUNT], ...withdrawFrom(0) });
    expect(state.account).toMatchObject({ address: ACCOUNT, newIndex: null });
  });

  it('is one the tables have not heard of yet', async () => {
    const market = marketOf(1);
    market.setAccount([deposit(0, 5n)], {}, await derived(2));
    const state = await read(market, { ...withdrawFrom(0) });
    expect(state.account.address).toBe(await derived(2));
  });

  it('is told from several by their addresses', async () => {
    const market = marketOf(1);
    market.setAccount([deposit(0, 5n)]);
    const other = await derived(1);
    market.setAccount([], {}, other);
    await expect(read(market, { knownAccounts: [ACCOUNT], ...withdrawFrom(0) })).rejects.toMatchObject({
      code: 'READ__ACCOUNT_MISMATCH',
      context: { accounts: [ACCOUNT, other] },
    });
  });

  it('is made for a deposit, at the lowest index that is free', async () => {
    const market = marketOf(1);
    market.setAccount([], { accountFlags: 1n }, await derived(0));
    market.put(await derived(1), { owner: SYSTEM_PROGRAM, data: new Uint8Array(), lamports: 5n });
    const state = await read(market, { ...depositIn(0) });
    expect(state.account).toEqual({ address: await derived(1), state: null, newIndex: 1 });
  });

  it('is opened beyond the first four indexes when those are taken', async () => {
    const market = marketOf(1);
    for (const index of [0, 1, 2, 3, 4]) market.setAccount([], {}, await derived(index));
    const state = await read(market, {});
    expect(state.account).toEqual({ address: await derived(5), state: null, newIndex: 5 });
    expect(state.waves).toBe(2);
  });

  it('is the one an earlier build chose, while it is free and once it is there', async () => {
    const market = marketOf(1);
    const chosen = { accountIndex: 9, ...depositIn(0) };
    expect((await read(market, chosen)).account).toMatchObject({ address: await derived(9), newIndex: 9 });
    market.setAccount([], {}, await derived(0));
    market.setAccount([], {}, await derived(9));
    expect((await read(market, chosen)).account).toMatchObject({ address: await derived(9), newIndex: null });
    await expect(read(market, { accountIndex: 9 })).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID' });
  });

  it('is the one an earlier build was to make, though the wallet opened another since', async () => {
    const market = marketOf(1);
    market.setAccount([], {}, await derived(1));
    const { account } = await read(market, { accountIndex: 0, ...depositIn(0) });
    expect(account).toEqual({ address: await derived(0), state: null, newIndex: 0 });
  });

  it('is refused when it is somebody else’s, of another group or no account at all', async () => {
    const market = marketOf(1);
    const ask = (account: Address) => read(market, { account, ...withdrawFrom(0) });
    market.setAccount([], { authority: madeAddress(50) });
    await expect(ask(ACCOUNT)).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID', context: { field: 'account' } });
    market.setAccount([], { group: madeAddress(51) });
    await expect(ask(ACCOUNT)).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID' });
    await expect(ask(bankAddress(0))).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID' });
    await expect(ask(mintAddress(0))).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID' });
    await expect(ask(madeAddress(52))).rejects.toMatchObject({ code: 'READ__ACCOUNT_NOT_FOUND' });
  });
});

describe('bytes that cannot be acted on', () => {
  const hints = { knownAccounts: [ACCOUNT] };

  it('says of a bank that there is none', async () => {
    const market = marketOf(1);
    market.setAccount([]);
    const missing = read(market, { ...hints, ...depositIn(5) });
    await expect(missing).rejects.toMatchObject({ code: 'READ__BANK_NOT_FOUND' });
    const wallet = read(market, { ...hints, ...askFor({ kind: 'deposit', bank: WALLET }) });
    await expect(wallet).rejects.toMatchObject({ code: 'READ__BANK_NOT_FOUND' });
  });

  it('says of a bank that it is of another group, or unreadable', async () => {
    const market = marketOf(2);
    market.setAccount([]);
    market.setBank(0, { group: madeAddress(51) });
    const foreign = read(market, { ...hints, ...depositIn(0) });
    await expect(foreign).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID', context: { field: 'bank' } });
    const cut = market.accounts.get(bankAddress(1))?.data.subarray(0, 900) ?? new Uint8Array();
    market.put(bankAddress(1), { owner: MARGINFI_PROGRAM, data: cut });
    const unreadable = read(market, { ...hints, ...depositIn(1) });
    await expect(unreadable).rejects.toMatchObject({ code: 'ACTION__BANK_UNAVAILABLE' });
  });

  it('says which bank of the account cannot be read', async () => {
    const market = marketOf(2);
    market.setAccount([deposit(1, 5n)]);
    market.accounts.delete(bankAddress(1));
    const reading = read(market, { ...hints, ...depositIn(0) });
    await expect(reading).rejects.toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(1) },
    });
  });

  it('says of a token account that it was given away', async () => {
    const market = marketOf(1);
    market.setAccount([]);
    await market.setTokens(mintAddress(0), 5n, { owner: madeAddress(60) });
    const reading = read(market, { ...hints, ...depositIn(0) });
    await expect(reading).rejects.toMatchObject({ code: 'TOOL__INPUT_INVALID', context: { field: 'authority' } });
  });
});

/** A table in use, last extended long ago. */
function tableBytes(addresses: readonly Address[]): Uint8Array {
  const data = new Uint8Array(56 + 32 * addresses.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, 1, true);
  view.setBigUint64(4, 2n ** 64n - 1n, true);
  for (const [index, address] of addresses.entries()) data.set(getAddressEncoder().encode(address), 56 + 32 * index);
  return data;
}

const pair = (fields: Partial<LeverageQuestion> = {}): LeverageQuestion => ({
  ...question(),
  opens: 'never',
  ...fields,
  banks: [bankAddress(0), bankAddress(1)],
});

describe('readLeverageState', () => {
  it('reads both banks and both token accounts in one wave when the hints are right', async () => {
    const market = marketOf(3);
    market.setAccount([deposit(0, 5n), debt(1, 7n), deposit(2, 9n)]);
    await market.setTokens(mintAddress(0), 42n);
    const cache = createBankCache();
    await cache.warm(market.chain, MARGINFI_PROGRAM, [0, 1, 2].map(bankAddress));
    market.asked.length = 0;
    const heldBanks = [0, 1, 2].map(bankAddress);
    const state = await readLeverageState(market.chain, cache, pair({ knownAccounts: [ACCOUNT], heldBanks }));
    expect(state.waves).toBe(1);
    expect(new Set(market.asked[0]).size).toBe(market.asked[0]?.length);
    expect(state.collateral.live.bank.address).toBe(bankAddress(0));
    expect(state.collateral.tokens.amountBase).toBe(42n);
    expect(state.debt.live.bank.address).toBe(bankAddress(1));
    expect(state.debt.live.oracle.kind).toBe('loaded');
    expect(state.debt.tokens.amountBase).toBeNull();
    expect([...state.held.keys()]).toEqual(heldBanks);
  });

  it('has one token account for two banks of one mint', async () => {
    const market = marketOf(2);
    market.setBank(1, {}, { mint: mintAddress(0) });
    market.setAccount([]);
    await market.setTokens(mintAddress(0), 42n);
    const { collateral, debt: owed } = await readLeverageState(
      market.chain,
      createBankCache(),
      pair({ account: ACCOUNT }),
    );
    expect(owed.tokens).toEqual(collateral.tokens);
  });

  it('opens an account of its own where that is asked, and where there is none', async () => {
    const market = marketOf(2);
    const ask = (opens: LeverageQuestion['opens'], knownAccounts = [ACCOUNT]) =>
      readLeverageState(market.chain, createBankCache(), pair({ opens, knownAccounts }));
    expect((await ask('where_missing')).account).toMatchObject({ state: null, newIndex: 0 });
    await expect(ask('never')).rejects.toMatchObject({ code: 'READ__ACCOUNT_NOT_FOUND' });
    market.setAccount([]);
    expect((await ask('where_missing')).account).toMatchObject({ address: ACCOUNT, newIndex: null });
    expect((await ask('always')).account).toMatchObject({ state: null, newIndex: 0 });
  });
});

describe('sidesOf', () => {
  it('tells what is owed from what is there, and from dust', async () => {
    const market = marketOf(4);
    const dust = I80F48_ONE - 1n;
    market.setAccount([
      deposit(0, 5n, { liabilityShares: dust }),
      debt(1, 7n),
      deposit(2, 0n, { assetShares: dust }),
      debt(3, 1n),
    ]);
    const asked = question({ account: ACCOUNT, opens: 'never' });
    const state = await readActionState(market.chain, createBankCache(), asked);
    expect(state.target).toBeNull();
    expect([...state.held.keys()]).toHaveLength(4);
    expect(sidesOf(state)).toEqual({ collateral: [bankAddress(0)], debt: [bankAddress(1), bankAddress(3)] });
  });
});

/** What the made reserve names as its market. */
const LENDING_MARKET = madeAddress(5_999);

describe('protectedAccountsOf', () => {
  it('guards the account, its banks and what stands behind them, and not the tokens that are swapped', async () => {
    const market = createMadeMarket();
    setKaminoBank(market, 0);
    for (const nth of [1, 2]) market.setBank(nth);
    market.setAccount([deposit(2, 5n), debt(1, 7n)]);
    const state = await readMadePair(market, 0, 1);
    const guarded = protectedAccountsOf(state);
    const vault = state.debt.live.bank.liquidityVault;
    for (const each of [
      ACCOUNT,
      GROUP,
      vault,
      bankAddress(2),
      reserveAddress(0),
      LENDING_MARKET,
      ...[0, 1, 2].map(feedAddress),
    ]) {
      expect(guarded).toContain(each);
    }
    for (const each of [state.collateral.tokens.address, state.debt.tokens.address, mintAddress(0), NO_KEY]) {
      expect(guarded).not.toContain(each);
    }
  });

  it('lets a route mint what is staked, though an oracle reads the mint', async () => {
    const market = createMadeMarket();
    const keys = [feedAddress(0), mintAddress(0), madeAddress(70), NO_KEY, NO_KEY];
    market.setBank(0, { config: { oracleSetup: 5, oracleKeys: keys } });
    market.setBank(1);
    market.setAccount([]);
    const guarded = protectedAccountsOf(await readMadePair(market, 0, 1));
    expect(guarded).toContain(madeAddress(70));
    expect(guarded).not.toContain(mintAddress(0));
  });
});
