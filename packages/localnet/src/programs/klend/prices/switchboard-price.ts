import { pullFeedLayout, SWITCHBOARD_ON_DEMAND_PROGRAM } from '@lending/programs';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { CONFIDENCE_FACTOR, type LoadedPrice, priceToSf } from './loaded-price.ts';

const DECIMALS = 18;
const MS_PER_SLOT = 400n;
const MS_PER_SECOND = 1000n;

type FeedPrice = Pick<LoadedPrice, 'timestamp' | 'valueSf'>;

/**
 * The result of a Switchboard pull feed, and that of the feed that averages it where the reserve names one; null where either is no
 * feed or has no price. Its age is told by its slot.
 * @see klend programs/klend/src/utils/prices/switchboard.rs
 */
export function loadSwitchboardPrice(
  context: InvokeContext,
  account: InstructionAccount,
  averageAccount: InstructionAccount | null,
): LoadedPrice | null {
  const price = readFeed(context, account);
  if (price === null) return null;
  if (averageAccount === null) return { ...price, average: null };
  const average = readFeed(context, averageAccount);
  return average === null ? null : { ...price, average };
}

function readFeed(context: InvokeContext, { owner, data }: InstructionAccount): FeedPrice | null {
  const isFeed = owner === SWITCHBOARD_ON_DEMAND_PROGRAM && hasBytesAt(data, 0, pullFeedLayout.discriminator);
  if (!isFeed || data.length < pullFeedLayout.fixedSize) return null;
  const { value, stdDev, slot } = pullFeedLayout.decode(data).result;
  if (slot === 0n || value <= 0n || stdDev < 0n) return null;
  const now = context.slot;
  const seconds = now.slot > slot ? ((now.slot - slot) * MS_PER_SLOT) / MS_PER_SECOND : 0n;
  const timestamp = now.unixTimestamp > seconds ? now.unixTimestamp - seconds : 0n;
  const isSure = stdDev * CONFIDENCE_FACTOR < value;
  return { timestamp, valueSf: isSure ? priceToSf(context, value, DECIMALS) : null };
}
