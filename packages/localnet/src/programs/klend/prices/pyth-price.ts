import { type PriceUpdateV2, priceUpdateV2Layout } from '@lending/programs';
import { isSolanaError } from '@solana/kit';
import { hasBytesAt, isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { panic } from '../klend-error.ts';
import { CONFIDENCE_FACTOR, type LoadedPrice, priceToSf } from './loaded-price.ts';

/**
 * A fully verified Pyth price with its moving average; null where the account is no such thing, or either is in doubt. Whose account it
 * is does not matter: the reserve names it.
 * @see klend programs/klend/src/utils/prices/pyth.rs
 */
export function loadPythPrice(context: InvokeContext, account: InstructionAccount): LoadedPrice | null {
  const update = decodeUpdate(account.data);
  if (update === null || update.verificationLevel.__kind !== 'Full') return null;
  const { price, conf, emaPrice, emaConf, exponent, publishTime } = update.priceMessage;
  const isSure = isCertain(context, price, conf) && isCertain(context, emaPrice, emaConf);
  if (!isSure) return null;
  if (publishTime < 0n) panic(context, 'negative publish time');
  const toSf = (value: bigint) => priceToSf(context, value, Math.abs(exponent));
  return {
    timestamp: publishTime,
    valueSf: toSf(price),
    average: { timestamp: publishTime, valueSf: toSf(emaPrice) },
  };
}

function isCertain(context: InvokeContext, price: bigint, confidence: bigint): boolean {
  if (price < 0n) panic(context, 'negative price');
  if (price === 0n) return false;
  const doubt = confidence * CONFIDENCE_FACTOR;
  if (!isU64(doubt)) panic(context, 'confidence out of range');
  return doubt <= price;
}

function decodeUpdate(data: Uint8Array): PriceUpdateV2 | null {
  if (!hasBytesAt(data, 0, priceUpdateV2Layout.discriminator)) return null;
  try {
    return priceUpdateV2Layout.decode(data);
  } catch (error) {
    if (isSolanaError(error)) return null;
    throw error;
  }
}
