import type { Ledger } from '@lending/localnet';
import {
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { startsWith } from './starts-with.ts';

const SLOTS_A_MINUTE = 150n;

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

/** Every price feed on the chain. */
export function listFeeds(ledger: Ledger): readonly Address[] {
  const kinds = [
    [PYTH_RECEIVER_PROGRAM, priceUpdateV2Layout.discriminator],
    [SWITCHBOARD_ON_DEMAND_PROGRAM, pullFeedLayout.discriminator],
  ] as const;
  return kinds.flatMap(([program, head]) =>
    [...ledger.accountsOwnedBy(program, 'confirmed')]
      .filter(([, { data }]) => startsWith(data, head))
      .map(([address]) => address),
  );
}
