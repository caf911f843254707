import type { AccountState } from '@lending/localnet';
import type { Address } from '@solana/kit';
import { scaleFeed, setFeedAge } from '../builders/chain-edits.ts';
import { listFeeds } from '../builders/ledger-tables.ts';
import { pass } from '../history/given-time.ts';
import { type HistoryPoller, untilStored } from '../history/history-poller.ts';
import { type HistoryWorld, SECOND_MS } from '../history/history-world.ts';
import { markRefreshed } from '../positions/fresh-venues.ts';

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
