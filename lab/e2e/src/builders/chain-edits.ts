import { editAccount, type Ledger } from '@lending/localnet';
import {
  type Bank,
  type BankArgs,
  bankLayout,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendTokenReserveLayout,
  KLEND_PROGRAM,
  klendReserveLayout,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SOLEND_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  solendReserveLayout,
} from '@lending/programs';
import { accrueJuplendPrices, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { listOf } from './ledger-tables.ts';

const BPS = 10_000n;
const SLOTS_A_MINUTE = 150n;

/**
 * Changes a bank's terms as its administrator would.
 * @returns how to bring back the terms there were, and nothing else.
 */
export function editTerms(
  ledger: Ledger,
  address: Address,
  change: (config: Bank['config']) => BankArgs['config'],
): () => void {
  const before = readBank(ledger, address).config;
  const write = (config: BankArgs['config']) =>
    editAccount(ledger, bankLayout, address, (bank) => ({ ...bank, config }));
  write(change(before));
  return () => write(before);
}

/** Pauses the whole program, as its administrator can for half an hour. */
export function pauseProgram(ledger: Ledger): () => void {
  const before = ledger.account(MARGINFI_MAIN_GROUP);
  if (before === undefined) throw new TypeError('There is no group');
  const group = marginfiGroupLayout.decode(before.data);
  const panicStateCache = {
    ...group.panicStateCache,
    pauseFlags: 1,
    pauseStartTimestamp: ledger.unixTimestamp,
    lastCacheUpdate: ledger.unixTimestamp,
  };
  const write = (cache: typeof group.panicStateCache) =>
    editAccount(ledger, marginfiGroupLayout, MARGINFI_MAIN_GROUP, (now) => ({ ...now, panicStateCache: cache }));
  write(panicStateCache);
  return () => write(group.panicStateCache);
}

function readBank(ledger: Ledger, address: Address): Bank {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no bank ${address}`);
  return bankLayout.decode(state.data);
}

/** Makes a price feed as old as this, its price unchanged. */
export function setFeedAge(ledger: Ledger, feed: Address, seconds: bigint): void {
  const state = ledger.account(feed);
  const at = ledger.unixTimestamp - seconds;
  // Save looks at slots, not at seconds.
  const slot = ledger.slot('confirmed') - (seconds * SLOTS_A_MINUTE) / 60n;
  if (state?.owner === PYTH_RECEIVER_PROGRAM) {
    const codec = priceUpdateV2Layout;
    const update = codec.decode(state.data);
    const data = new Uint8Array(state.data);
    const priceMessage = { ...update.priceMessage, publishTime: at, prevPublishTime: at - 1n };
    data.set(codec.encode({ ...update, priceMessage, postedSlot: slot }));
    ledger.writeAccount(feed, { ...state, data });
    return;
  }
  if (state?.owner !== SWITCHBOARD_ON_DEMAND_PROGRAM) throw new TypeError(`${feed} is no price feed`);
  const codec = pullFeedLayout;
  const pulled = codec.decode(state.data);
  const result = { ...pulled.result, slot, minSlot: slot, maxSlot: slot };
  const data = new Uint8Array(codec.encode({ ...pulled, result, lastUpdateTimestamp: at }));
  ledger.writeAccount(feed, { ...state, data });
}

/**
 * Moves the price of a bank's token by so many basis points, wherever it is read: lenders' oracles and the pools have the same feed.
 * @returns how to bring back the price there was.
 */
export function movePrice(
  { ledger, feeds }: { readonly ledger: Ledger; readonly feeds: readonly Address[] },
  bank: P0Bank,
  bps: bigint,
) {
  const feed = bank.oracle.keys.find((key) => feeds.includes(key));
  if (feed === undefined) throw new TypeError(`The bank ${bank.address} has no feed`);
  const before = ledger.account(feed);
  ledger.writeAccount(feed, scaleFeed(ledger, feed, BPS + bps));
  return () => ledger.writeAccount(feed, before);
}

/** The state of a feed whose price is so many parts of ten thousand of what it is. */
export function scaleFeed(ledger: Ledger, feed: Address, partsOfBps: bigint) {
  const state = ledger.account(feed);
  const scale = (price: bigint) => (price * partsOfBps) / BPS;
  if (state?.owner === PYTH_RECEIVER_PROGRAM) {
    const codec = priceUpdateV2Layout;
    const update = codec.decode(state.data);
    const { priceMessage: message } = update;
    const moved = { ...message, price: scale(message.price), emaPrice: scale(message.emaPrice) };
    const data = new Uint8Array(state.data);
    data.set(codec.encode({ ...update, priceMessage: moved }));
    return { ...state, data };
  }
  if (state?.owner !== SWITCHBOARD_ON_DEMAND_PROGRAM) throw new TypeError(`${feed} is no price feed`);
  const codec = pullFeedLayout;
  const pulled = codec.decode(state.data);
  const result = { ...pulled.result, value: scale(pulled.result.value), mean: scale(pulled.result.mean) };
  return { ...state, data: new Uint8Array(codec.encode({ ...pulled, result })) };
}

/** Leaves every bank and every reserve as a transaction of this second and slot would: nothing has accrued since. */
export function touchAll(ledger: Ledger): void {
  const { unixTimestamp } = ledger;
  const slot = ledger.slot('confirmed');
  for (const address of addressesOf(ledger, MARGINFI_PROGRAM, bankLayout)) {
    editAccount(ledger, bankLayout, address, (bank) => ({ ...bank, lastUpdate: unixTimestamp }));
  }
  for (const address of addressesOf(ledger, KLEND_PROGRAM, klendReserveLayout)) {
    editAccount(ledger, klendReserveLayout, address, (reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot, timestamp: Number(unixTimestamp) },
    }));
  }
  for (const [address, { data }] of listOf(ledger, SOLEND_PROGRAM, SOLEND_VERSION)) {
    if (data.length !== solendReserveLayout.fixedSize) continue;
    editAccount(ledger, solendReserveLayout, address, (reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot },
    }));
  }
  for (const address of addressesOf(ledger, JUPLEND_LIQUIDITY_PROGRAM, juplendTokenReserveLayout)) {
    editAccount(ledger, juplendTokenReserveLayout, address, (reserve) => {
      // A pool of Earn takes no price that is lower than the last.
      const { supply, borrow } = accrueJuplendPrices(reserve, unixTimestamp);
      const prices = { supplyExchangePrice: supply, borrowExchangePrice: borrow };
      return { ...reserve, ...prices, lastUpdateTimestamp: unixTimestamp };
    });
  }
}

/** Gives each of these banks that owes nothing a debt of a thousandth of what it holds: interest accrues in all of them. */
export function lendFromAll(ledger: Ledger, banks: readonly Address[]): void {
  for (const address of banks) {
    editAccount(ledger, bankLayout, address, (bank) => ({
      ...bank,
      totalLiabilityShares: bank.totalLiabilityShares || bank.totalAssetShares / 1_000n,
    }));
  }
}

/** Save's accounts begin with the number of their version. */
const SOLEND_VERSION = { discriminator: Uint8Array.of(1) };

function addressesOf(...where: Parameters<typeof listOf>): readonly Address[] {
  return listOf(...where).map(([address]) => address);
}
