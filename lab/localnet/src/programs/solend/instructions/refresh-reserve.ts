import {
  NO_KEY,
  type PriceUpdateV2,
  PYTH_RECEIVER_PROGRAM,
  priceUpdateV2Layout,
  pullFeedLayout,
  refreshSolendReserve,
  SOLEND_NULL_ORACLE,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
} from '@lending/programs';
import { WAD } from '@lending/venues';
import { hasBytesAt, isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { takeAccounts } from '../../account-list.ts';
import { check, fail } from '../solend-error.ts';
import { loadReserve, storeReserve } from '../state.ts';
import { refreshInterest } from '../steps.ts';

/** USD of one token, wads. The average is Pyth's; Switchboard has none. */
interface OraclePrice {
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
function readOracle(context: InvokeContext, account: InstructionAccount): OraclePrice | null {
  if (account.owner === PYTH_RECEIVER_PROGRAM) return readPyth(context, account);
  return account.owner === SWITCHBOARD_ON_DEMAND_PROGRAM ? readSwitchboard(context, account) : null;
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

/**
 * Prices first, then interest: a reserve without a price that can be used stays as it was. No reserve of this chain has a third oracle or
 * an offset of its price, and the model stops at one that has.
 */
export const refreshReserve = defineProgramInstruction({
  layout: refreshSolendReserve,
  run(context) {
    const [account, pyth, switchboard] = takeAccounts(context.accounts, 3);
    const reserve = loadReserve(account);
    const { liquidity } = reserve;
    check(context, account.owner === context.programId, 'InvalidAccountOwner');
    check(context, liquidity.pythOracle === pyth.address, 'InvalidAccountInput');
    check(context, liquidity.switchboardOracle === switchboard.address, 'InvalidOracleConfig');
    const isPlain = reserve.extraOracle === NO_KEY && reserve.scaledPriceOffsetBps === 0n;
    if (!isPlain) throw new InstructionError('ProgramFailedToComplete');
    const { price, average } = takePrice(context, pyth, switchboard);
    storeReserve(account, {
      ...reserve,
      liquidity: { ...liquidity, marketPrice: price },
      // Without Pyth there is no average.
      smoothedMarketPrice:
        liquidity.pythOracle === SOLEND_NULL_ORACLE ? price : (average ?? reserve.smoothedMarketPrice),
      liquidityExtraMarketPriceFlag: 0,
      liquidityExtraMarketPrice: 0n,
    });
    refreshInterest(context, account);
  },
});

/** Pyth's price, or Switchboard's where Pyth has none. */
function takePrice(context: InvokeContext, pyth: InstructionAccount, switchboard: InstructionAccount): OraclePrice {
  return readOracle(context, pyth) ?? readOracle(context, switchboard) ?? fail(context, 'InvalidOracleConfig');
}
