import { I80F48_ONE, parseI80F48 } from '@lending/domain';
import {
  BANK_ORACLE_SETUPS,
  bankLayout,
  EXPONENT_PROGRAM,
  encodeInstruction,
  exponentVaultLayout,
  lendingPoolPulseBankPriceCache,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  MARINADE_STATE,
  placeOf,
  SCOPE_PROGRAM,
  scopePricesLayout,
} from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import { AccountRole, type Address, type ReadonlyUint8Array } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { addressOf, wallet } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import { LST_POOLS } from '#market/venues/lst-pools.ts';
import { errorOf, expectDone } from '../testing/expect-outcome.ts';
import { MarketChain } from '../testing/market-chain.ts';
import { VenueLender } from '../testing/venue-lender.ts';

const [SCOPE, VAULT, WALLET] = [addressOf(901), addressOf(902), addressOf(903)];
const POOL = (LST_POOLS[0] as (typeof LST_POOLS)[number]).address;
/** Where a reserve of klend has its slot, a lending account of JupLend its second, and a stake pool its epoch. */
const [RESERVE_SLOT, LENDING_SECOND, POOL_EPOCH] = [16, 123, 274];
const ALL_WELL = 1 | 2 | 4;

const opened = { kamino: await VenueLender.open('kamino'), juplend: await VenueLender.open('juplend') };

/** 2.5 USD as entry 7 of a table of Scope's, a vault of Exponent's whose term is half over, and a stake pool of this epoch. */
function placeAccounts(chain: MarketChain): void {
  const { accounts, context } = chain;
  const { unixTimestamp, epoch } = context;
  chain.edit(POOL, (data) => new DataView(data.buffer).setBigUint64(POOL_EPOCH, epoch, true));
  const put = (address: Address, owner: Address, data: ReadonlyUint8Array) =>
    accounts.set(address, { owner, data: Uint8Array.from(data), lamports: 1n, executable: false });
  const table = new Uint8Array(scopePricesLayout.fixedSize);
  table.set(scopePricesLayout.discriminator);
  const { prices, ...rest } = scopePricesLayout.decode(table);
  const price = { value: 2_500_000_000n, exp: 9n };
  const priced = prices.map((each, entry) => (entry === 7 ? { ...each, price, unixTimestamp } : each));
  put(SCOPE, SCOPE_PROGRAM, scopePricesLayout.encode({ ...rest, prices: priced }));
  const vault = new Uint8Array(exponentVaultLayout.fixedSize);
  vault.set(exponentVaultLayout.discriminator);
  const rate = [2n * 10n ** 12n, 0n, 0n, 0n];
  const backing = { lastSeenSyExchangeRate: rate, allTimeHighSyExchangeRate: rate, syForPt: 500n, ptSupply: 1_000n };
  const term = { startTs: Number(unixTimestamp) - 1_000, duration: 2_000 };
  put(
    VAULT,
    EXPONENT_PROGRAM,
    exponentVaultLayout.encode({ ...exponentVaultLayout.decode(vault), ...term, ...backing }),
  );
}

function setOracle(chain: MarketChain, bank: Address, setup: number, keys: readonly Address[]): void {
  const { config } = bankLayout.decode(chain.data(bank));
  const oracleKeys = config.oracleKeys.map((key, index) => keys[index] ?? key);
  const changed = { oracleSetup: setup, oracleKeys, scopeEntryIndex: 7, fixedPrice: parseI80F48('0.9') };
  const { offset, type } = placeOf(bankLayout, 'config');
  chain.edit(bank, (data) => data.set(type.encode({ ...config, ...changed }), offset));
}

function pulsePrice(chain: MarketChain, bank: Address, accounts = oracleAccountsOf(chain.bankAt(bank))) {
  const remaining = accounts.map((address) => ({ address, role: AccountRole.READONLY }));
  const named = { group: MARGINFI_MAIN_GROUP, bank };
  const pulse = encodeInstruction(lendingPoolPulseBankPriceCache, MARGINFI_PROGRAM, named, {}, remaining);
  chain.accounts.set(WALLET, wallet(10n ** 9n));
  return chain.send(WALLET, pulse);
}

/** What the program itself notes of the account's health, by this list of accounts. */
function flagsOfHealth({ chain, party }: VenueLender): number {
  expectDone(chain.send(party.wallet, act.pulseHealth(party.account, chain.healthAccounts(party.account))));
  return chain.marginfiAccount(party.account).healthCache.flags;
}

const feedOf = (chain: MarketChain) => chain.bank('USDC').oracle.keys[0] as Address;
const ratio = (chain: MarketChain, address: Address, amount: number, supply: number) => {
  const view = new DataView(chain.data(address).buffer);
  return Number(view.getBigUint64(amount, true)) / Number(view.getBigUint64(supply, true));
};
const msolRate = (chain: MarketChain) => ratio(chain, MARINADE_STATE, 376, 504);
const poolRate = (chain: MarketChain) => ratio(chain, POOL, 258, 266);
const numberOf = (bits: bigint) => Number(bits) / 2 ** 48;

describe('a bank of P0 itself', () => {
  let lender: VenueLender;
  let bank: Address;
  let feed: Address;
  let feedUsd: number;
  beforeEach(() => {
    lender = opened.kamino.fork();
    const { chain, party } = lender;
    placeAccounts(chain);
    bank = chain.bank('USDC').address;
    feed = feedOf(chain);
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('USDC'), 1_000_000_000n)));
    expectDone(pulsePrice(chain, bank));
    feedUsd = numberOf(chain.bankAt(bank).oracleCache.price);
  });

  it.each([
    ['Scope', () => [SCOPE], (): number => 2.5],
    ['PythMSOL', () => [feed, MARINADE_STATE], (): number => feedUsd * msolRate(lender.chain)],
    ['PythLST', () => [feed, POOL], (): number => feedUsd * poolRate(lender.chain)],
    ['PTPyth', () => [feed, VAULT], (): number => feedUsd * 0.95],
    ['PTFixed', () => [VAULT], (): number => 0.95],
  ] as const)('is priced and valued by %s', (name, keys, price) => {
    const { chain, party } = lender;
    setOracle(chain, bank, BANK_ORACLE_SETUPS.indexOf(name), keys());
    expectDone(pulsePrice(chain, bank));
    const { oracleCache } = chain.bankAt(bank);
    expect(numberOf(oracleCache.price)).toBeCloseTo(price(), 6);
    expect(oracleCache.multiplier).toBe(I80F48_ONE);
    expect(flagsOfHealth(lender)).toBe(ALL_WELL);
    const short = chain.healthAccounts(party.account).slice(0, -1);
    expectDone(chain.send(party.wallet, act.pulseHealth(party.account, short)));
    expect(chain.marginfiAccount(party.account).healthCache.flags).not.toBe(ALL_WELL);
  });

  it('is not valued by a stake pool that two epochs have left behind', () => {
    const { chain } = lender;
    setOracle(chain, bank, BANK_ORACLE_SETUPS.indexOf('PythLST'), [feed, POOL]);
    const { slot, epoch } = chain.context;
    chain.context = { ...chain.context, slot: slot + 1n, epoch: epoch + 1n };
    expectDone(pulsePrice(chain, bank));
    chain.context = { ...chain.context, slot: slot + 2n, epoch: epoch + 2n };
    expect(errorOf(pulsePrice(chain, bank))).toBe('StakePoolStale');
  });
});

describe.each([
  ['kamino', 'KaminoMSOL', 'KaminoLST', 'ScopeKamino'],
  ['juplend', 'JuplendMSOL', 'JuplendLST', 'ScopeJuplend'],
] as const)('a bank of receipts of %s', (venue, msol, lst, scope) => {
  it.each([msol, lst, scope])('is priced and valued by %s', (name) => {
    const lender = opened[venue].fork();
    const { chain } = lender;
    placeAccounts(chain);
    expectDone(lender.send(lender.deposit(1_000_000_000n)));
    const { address, oracle } = lender.bank;
    const [feed, reserve] = [feedOf(chain), oracle.keys[1] as Address];
    const { slot, unixTimestamp } = chain.context;
    const [place, now] = venue === 'kamino' ? [RESERVE_SLOT, slot] : [LENDING_SECOND, unixTimestamp];
    chain.edit(reserve, (data) => new DataView(data.buffer).setBigUint64(place, now, true));
    expectDone(pulsePrice(chain, chain.bank('USDC').address));
    const feedUsd = numberOf(chain.bank('USDC').oracleCache.price);
    const before = oracleAccountsOf(lender.bank);
    expectDone(pulsePrice(chain, address));
    const { multiplier } = lender.bank.oracleCache;

    const keys = { [msol]: [feed, reserve, MARINADE_STATE], [lst]: [feed, reserve, POOL], [scope]: [SCOPE, reserve] };
    setOracle(chain, address, BANK_ORACLE_SETUPS.indexOf(name), keys[name] as Address[]);
    expect(errorOf(pulsePrice(chain, address, before))).not.toBeNull();
    expectDone(pulsePrice(chain, address));
    const price = { [msol]: feedUsd * msolRate(chain), [lst]: feedUsd * poolRate(chain), [scope]: 2.5 }[name];
    expect(numberOf(lender.bank.oracleCache.price)).toBeCloseTo(price as number, 6);
    expect(lender.bank.oracleCache.multiplier).toBe(multiplier);
    expect(flagsOfHealth(lender)).toBe(ALL_WELL);
  });
});

describe('the program', () => {
  it.each([
    ['0.1.10', 'ProgramFailedToComplete'],
    ['0.1.11', null],
  ] as const)('of %s ends in %s where a bank is priced by Scope', async (version, error) => {
    const chain = await MarketChain.open(version);
    placeAccounts(chain);
    const { address } = chain.bank('USDC');
    setOracle(chain, address, BANK_ORACLE_SETUPS.indexOf('Scope'), [SCOPE]);
    expect(errorOf(pulsePrice(chain, address))).toBe(error);
  });
});
