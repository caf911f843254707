import {
  type PriceUpdateV2,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import { WAD } from '@lending/venues';
import { hasBytesAt, isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';

/** USD of one token, wads. The average is Pyth's; Switchboard has none. */
export interface OraclePrice {
  readonly price: bigint;
  readonly average: bigint | null;
}

const MAX_AGE_SECONDS = 120n;
const MAX_AGE_SLOTS = 240n;
/** A price whose uncertainty is more than a tenth of it is refused. */
const CONFIDENCE_RATIO = 10n;
const FEED_DECIMALS = 10n ** 18n;
const U192_MAX = 2n ** 192n - 1n;

/**
 * The price of an account, null where the program cannot use it: too old, too unsure, or no price at all. The oracles of Pyth's and
 * Switchboard's older programs, which it also reads, do not exist on the local chain.
 * @see solana-program-library (Solend's) token-lending/oracles/src/pyth.rs, switchboard.rs
 */
export function readOracle(context: InvokeContext, account: InstructionAccount): OraclePrice | null {
  if (account.owner === PYTH_RECEIVER_PROGRAM) return readPyth(context, account);
  return account.owner === SWITCHBOARD_ON_DEMAND_PROGRAM ? readSwitchboard(context, account) : null;
}

/** The price of an extra oracle: Pyth's is taken at any age and however unsure. */
export function readExtraOracle(context: InvokeContext, account: InstructionAccount): bigint | null {
  if (account.owner !== PYTH_RECEIVER_PROGRAM) return readOracle(context, account)?.price ?? null;
  const update = decodeUpdate(account);
  return update === null ? null : scalePyth(update.priceMessage.price, update.priceMessage.exponent);
}

function readPyth(context: InvokeContext, account: InstructionAccount): OraclePrice | null {
  const update = decodeUpdate(account);
  if (update === null || update.verificationLevel.__kind !== 'Full') return null;
  const { price, conf, emaPrice, exponent, publishTime } = update.priceMessage;
  if (publishTime + MAX_AGE_SECONDS < context.slot.unixTimestamp) return null;
  if (price < 0n || conf * CONFIDENCE_RATIO > price) return null;
  const scaled = scalePyth(price, exponent);
  const average = scalePyth(emaPrice, exponent);
  return scaled === null || average === null ? null : { price: scaled, average };
}

function decodeUpdate({ data }: InstructionAccount): PriceUpdateV2 | null {
  if (!hasBytesAt(data, 0, priceUpdateV2Layout.discriminator)) return null;
  try {
    return priceUpdateV2Layout.decode(data);
  } catch {
    return null;
  }
}

function scalePyth(price: bigint, exponent: number): bigint | null {
  const power = 10n ** BigInt(Math.abs(exponent));
  if (price < 0n || !isU64(power)) return null;
  return exponent >= 0 ? price * WAD * power : (price * WAD) / power;
}

function readSwitchboard(context: InvokeContext, { data }: InstructionAccount): OraclePrice | null {
  if (!hasBytesAt(data, 0, pullFeedLayout.discriminator) || data.length < pullFeedLayout.fixedSize) return null;
  const { value, range, slot } = pullFeedLayout.decode(data).result;
  if (slot === 0n || slot > context.slot.slot || context.slot.slot - slot >= MAX_AGE_SLOTS) return null;
  if (value < 0n || range < 0n) return null;
  const price = toWads(value);
  const spread = toWads(range);
  return price === null || spread === null || spread * CONFIDENCE_RATIO > price ? null : { price, average: null };
}

/** The program multiplies by 10^36 before it divides by it, and 192 bits hold no more than this. */
function toWads(value: bigint): bigint | null {
  return value * FEED_DECIMALS * WAD > U192_MAX ? null : value;
}
