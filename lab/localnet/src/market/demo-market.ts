import { bankLayout, MARGINFI_MAIN_GROUP, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import { type Actors, createActors } from '#actors/actors.ts';
import type { AccountState } from '#engine/engine.ts';
import type { Genesis } from '#genesis/load-genesis.ts';
import { bankAccount, metadataAccount, vaultAmountOf } from './bank-account.ts';
import { deriveBankAddresses } from './bank-addresses.ts';
import { createCrowd } from './crowd.ts';
import type { DemoBank } from './demo-bank.ts';
import { demoOrders } from './demo-orders.ts';
import { DEMO_FEEDS, type DemoFeedName } from './feeds.ts';
import { adminAccount, feeStateAccount, groupAccount } from './group-accounts.ts';
import { lookupTableAccounts } from './lookup-tables.ts';
import type { MarketLedger } from './market-ledger.ts';
import { FEED_NAMES, movePools, movePrices, ON_DEMAND_FEEDS, PUBLISH_EVERY_SLOTS } from './move-prices.ts';
import { oracleAccount } from './oracle-accounts.ts';
import { P0_BANKS } from './p0-banks.ts';
import { PRACTICE_BANKS } from './practice-banks.ts';
import { priceAt } from './price-walk.ts';
import { deployedBefore, lengthened, programAccounts } from './program-accounts.ts';
import { singlePoolAccounts } from './single-pools.ts';
import { swapPoolAccounts } from './swap-pools.ts';
import { swapTableAccount } from './swap-table.ts';
import { switchboardAccounts } from './switchboard-accounts.ts';
import { mintAccount, tokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS } from './tokens.ts';
import { VENUE_BANKS } from './venue-banks.ts';
import { createDriftAccounts } from './venues/drift-accounts.ts';
import { createJuplendAccounts } from './venues/juplend-accounts.ts';
import { createKaminoAccounts } from './venues/kamino-accounts.ts';
import { createLstAccounts, createLstRewards } from './venues/lst-accounts.ts';
import { createSolendAccounts } from './venues/solend-accounts.ts';
import { walletAccounts } from './wallet-accounts.ts';
import { DEMO_WALLETS, type DemoWallet } from './wallets.ts';

export interface DemoMarketOptions {
  /** Chain time the market begins at, unix seconds. */
  readonly unixTimestamp: bigint;
  /** Slot the market begins at; default 0. */
  readonly slot?: bigint;
  /** Same seed, same movement at the same slots; default 1. */
  readonly seed?: number;
  /** Whether prices move and stakers are paid; default true. Prices that do not move are not published either, and grow stale. */
  readonly prices?: boolean;
  /** How many transactions a second borrowers, loopers and lenders send; default 0, which leaves the market to itself. */
  readonly transactionsPerSecond?: number;
  /** Milliseconds a slot lasts, default 400; with the rate it says how many transactions a slot gets. */
  readonly slotMs?: number;
  /** How many lending accounts, besides those of the people, hold what the banks were lent; default 0. For load: each is 2 KB. */
  readonly crowd?: number;
  /** Feeds that never publish again, to try what a stale price does. */
  readonly staleFeeds?: readonly DemoFeedName[];
  /** Whether the feeds that are made on demand are pushed like all others, as where no program takes a crank; default false. */
  readonly pushesAll?: boolean;
  /** Of the lending program; default the newest known. */
  readonly programVersion?: ProgramVersion;
}

export interface DemoMarket {
  readonly genesis: Genesis;
  readonly wallets: readonly DemoWallet[];
  /** What a feed is worth at a slot, whether anybody publishes it or not; raw × 10^exponent USD. */
  priceAt(feed: DemoFeedName, slot: bigint): bigint;
  /** Moves prices; to be called once for each slot that opens. */
  onSlot(ledger: MarketLedger, slot: bigint): void;
  /** What the actors are to do in a slot, once its prices are there. */
  readonly turns: Actors['turns'];
}

/** All banks of the demo market, P0's own first. */
export const DEMO_BANKS: readonly DemoBank[] = [...P0_BANKS, ...VENUE_BANKS, ...PRACTICE_BANKS];
const BANKS_ON_VENUES = DEMO_BANKS.filter(({ venueAccount }) => venueAccount !== undefined);

/** What each venue keeps on the chain. */
const VENUE_ACCOUNTS: readonly ((
  at: { readonly unixTimestamp: bigint; readonly slot: bigint },
  banks: readonly DemoBank[],
) => Promise<readonly (readonly [Address, AccountState])[]>)[] = [
  createDriftAccounts,
  createJuplendAccounts,
  createKaminoAccounts,
  createSolendAccounts,
  createLstAccounts,
];

/**
 * A market to try things on: banks of the main group at mainnet addresses with parameters read from mainnet, invented prices,
 * and wallets with money. What moves, moves as a function of seed and slot alone.
 */
export async function createDemoMarket(options: DemoMarketOptions): Promise<DemoMarket> {
  const { unixTimestamp, slot = 0n, seed = 1, prices = true, staleFeeds = [], pushesAll = false } = options;
  const { transactionsPerSecond = 0, slotMs = 400, crowd = 0, programVersion = NEWEST_VERSION } = options;
  const actors = createActors({ seed, transactionsPerSecond, slotMs });
  const parts = await Promise.all([
    ...DEMO_BANKS.map((bank) => bankAccounts(bank, { unixTimestamp, programVersion })),
    ...DEMO_WALLETS.map(walletAccounts),
    feeStateAccount().then((feeState) => [feeState]),
  ]);
  const venues = await Promise.all(
    VENUE_ACCOUNTS.map((createAccounts) => createAccounts({ unixTimestamp, slot }, BANKS_ON_VENUES)),
  );
  const made: readonly (readonly [Address, AccountState])[] = [
    ...Object.values(DEMO_TOKENS).map((token) => [token.mint, mintAccount(token)] as const),
    ...feedAccounts(seed, { slot, unixTimestamp }),
    ...switchboardAccounts(unixTimestamp),
    ...swapPoolAccounts(),
    ...singlePoolAccounts(),
    adminAccount(),
    [MARGINFI_MAIN_GROUP, groupAccount(DEMO_BANKS.length, { unixTimestamp, programVersion })],
    ...parts.flat(),
    ...venues.flat(),
    ...(await lookupTableAccounts(DEMO_BANKS, venues.flat())),
    swapTableAccount(),
    ...actors.accounts,
    ...demoOrders({ unixTimestamp, programVersion }),
  ];
  const accounts = new Map([
    ...programAccounts(deployedBefore(slot, programVersion)),
    ...lengthened(made, programVersion),
  ]);
  const accountOf = (bank: Address) => accounts.get(bank);
  const people = { count: crowd, seed, unixTimestamp, rows: DEMO_BANKS, accountOf };
  for (const [address, account] of createCrowd(people)) accounts.set(address, account);
  const unpushed = pushesAll ? [] : ON_DEMAND_FEEDS;
  const except = new Set([...staleFeeds, ...unpushed]);
  const payStakers = createLstRewards();
  // A chain that was down for a while starts with old prices: the first slot publishes all that are pushed.
  let isFirstSlot = true;
  return {
    genesis: { accounts, clock: null, notes: [] },
    wallets: DEMO_WALLETS,
    priceAt: (feed, at) => priceAt(feed, seed, at).price,
    turns: actors.turns,
    onSlot(ledger, openedSlot) {
      if (prices) {
        payStakers(ledger, openedSlot);
        movePrices(ledger, openedSlot, { seed, all: isFirstSlot, except });
        if (isFirstSlot || openedSlot % PUBLISH_EVERY_SLOTS === 0n)
          movePools(ledger, openedSlot, { seed, feeds: unpushed });
      }
      isFirstSlot = false;
    },
  };
}

type Placed = readonly (readonly [Address, AccountState])[];

/** The bank, its name and its three vaults. Tokens of an integration bank only pass through: its vaults are empty. */
async function bankAccounts(bank: DemoBank, begins: Parameters<typeof bankAccount>[2]): Promise<Placed> {
  const addresses = await deriveBankAddresses(bank);
  const { liquidity, insurance, fee } = addresses;
  const token = DEMO_TOKENS[bank.token];
  const state = bankAccount(bank, addresses, begins);
  const held = bank.venueAccount === undefined ? vaultAmountOf(bankLayout.decode(state.data)) : 0n;
  return [
    [bank.address, state],
    [addresses.metadata, metadataAccount(bank, addresses.metadataBump)],
    [liquidity.address, tokenAccount(token, liquidity.authority, held)],
    [insurance.address, tokenAccount(token, insurance.authority, 0n)],
    [fee.address, tokenAccount(token, fee.authority, 0n)],
  ];
}

function feedAccounts(seed: number, at: { readonly slot: bigint; readonly unixTimestamp: bigint }): Placed {
  return FEED_NAMES.map((name) => {
    const feed = DEMO_FEEDS[name];
    return [feed.account, oracleAccount(name, feed, priceAt(name, seed, at.slot), at)] as const;
  });
}
