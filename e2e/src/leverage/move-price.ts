import type { Ledger } from '@lending/localnet';
import {
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BuildersWorld } from '../builders/builders-world.ts';

const BPS = 10_000n;

/**
 * Moves the price of a bank's token by so many basis points, wherever it is read: lenders' oracles and the pools have the same feed.
 * @returns how to bring back the price there was.
 */
export function movePrice({ ledger, feeds }: Pick<BuildersWorld, 'ledger' | 'feeds'>, bank: P0Bank, bps: bigint) {
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
