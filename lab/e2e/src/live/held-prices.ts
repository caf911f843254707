import { createHash } from 'node:crypto';
import type { AccountState } from '@lending/localnet';
import type { P0Bank } from '@lending/venues';
import { type Address, getAddressDecoder, getAddressEncoder } from '@solana/kit';
import { scaleFeed, setFeedAge } from '../builders/chain-edits.ts';
import { listFeeds } from '../builders/ledger-tables.ts';
import { pass } from '../history/given-time.ts';
import { type HistoryPoller, untilStored } from '../history/history-poller.ts';
import { type HistoryWorld, SECOND_MS } from '../history/history-world.ts';
import { markRefreshed } from '../positions/fresh-venues.ts';
import type { MadeAccount } from '../positions/random-accounts.ts';

/** Prices of a chain that move when a test says so, and then stand. */
export interface HeldPrices {
  /** Sets every price but these feeds' to a share of what it was, samples it, and waits until the tables have it. */
  setTo(bps: bigint): Promise<void>;
}

export interface HoldPricesOptions {
  readonly world: HistoryWorld;
  readonly poller: HistoryPoller;
  readonly banks: Parameters<typeof markRefreshed>[1];
  /** Feeds whose prices stand. */
  readonly except: ReadonlySet<Address>;
}

export function holdPrices({ world, poller, banks, except }: HoldPricesOptions): HeldPrices {
  const { ledger } = world.localnet;
  const begun = new Map<Address, AccountState | undefined>(
    listFeeds(ledger).map((feed) => [feed, ledger.account(feed)]),
  );

  /** The market has published the open slot's own prices: these take their place. */
  function write(bps: bigint): void {
    for (const [feed, state] of begun) {
      ledger.writeAccount(feed, state);
      if (!except.has(feed)) ledger.writeAccount(feed, scaleFeed(ledger, feed, bps));
      setFeedAge(ledger, feed, 0n);
    }
    markRefreshed(ledger, banks);
  }

  return {
    async setTo(bps) {
      pass(world.time, SECOND_MS);
      for (let slots = 0; slots < 2; slots += 1) {
        write(bps);
        ledger.advanceSlot();
      }
      await poller.sample();
      await untilStored(world, poller);
    },
  };
}

const SUPPLIED = 10n;
const LARGEST_DEBT = 1_000n;

/** Accounts that each supply ten tokens of one bank and owe up to a thousand of another: each stands elsewhere when prices fall. */
export function makeBorrowers(supply: P0Bank, debt: P0Bank, count: number): readonly MadeAccount[] {
  const bytesOf = ({ address }: P0Bank) => Buffer.from(getAddressEncoder().encode(address));
  return Array.from({ length: count }, (_, index) => ({
    address: labelled(`borrower ${index}`),
    authority: labelled(`authority of borrower ${index}`),
    balances: [
      { bank: supply, side: 'asset' as const, shares: sharesOf(supply, SUPPLIED) },
      {
        bank: debt,
        side: 'liability' as const,
        shares: sharesOf(debt, (LARGEST_DEBT * BigInt(index + 1)) / BigInt(count)),
      },
    ].toSorted((a, b) => Buffer.compare(bytesOf(b.bank), bytesOf(a.bank))),
  }));
}

/** Shares of a made bank are worth about a token's base unit each. */
function sharesOf({ decimals }: P0Bank, tokens: bigint): bigint {
  return (tokens * 10n ** BigInt(decimals)) << 48n;
}

function labelled(label: string): Address {
  return getAddressDecoder().decode(createHash('sha256').update(label).digest());
}
