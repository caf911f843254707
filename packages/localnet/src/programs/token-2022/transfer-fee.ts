import { readU16, readU64, writeU16, writeU64 } from '#engine/bytes.ts';

/** Fields of the mint's fee settings, from the start of the extension. Two rates: the older until the newer's epoch. */
export const FEE_CONFIG = { configAuthority: 0, withdrawAuthority: 32, withheld: 64, older: 72, newer: 90 } as const;

const RATE = { epoch: 0, maximumFee: 8, basisPoints: 16, size: 18 } as const;

export const MAX_BASIS_POINTS = 10_000;

/** Epochs between setting a rate and its start. */
const NOTICE_EPOCHS = 2n;

export interface FeeRate {
  readonly epoch: bigint;
  readonly maximumFee: bigint;
  readonly basisPoints: number;
}

/**
 * The fee kept from a transfer of `amount` in this epoch, rounded up, at most the maximum.
 * `start` is where the extension's value begins in the mint's data.
 */
export function computeTransferFee(mint: Uint8Array, start: number, epoch: bigint, amount: bigint): bigint {
  const rate = rateInEpoch(mint, start, epoch);
  if (rate.basisPoints === 0 || amount === 0n) return 0n;
  const scale = BigInt(MAX_BASIS_POINTS);
  const fee = (amount * BigInt(rate.basisPoints) + scale - 1n) / scale;
  return fee < rate.maximumFee ? fee : rate.maximumFee;
}

/** The rate that holds in an epoch: the older one until the newer one begins. */
export function rateInEpoch(mint: Uint8Array, start: number, epoch: bigint): FeeRate {
  const newer = readRate(mint, start + FEE_CONFIG.newer);
  return epoch >= newer.epoch ? newer : readRate(mint, start + FEE_CONFIG.older);
}

export function writeInitialRate(mint: Uint8Array, start: number, rate: FeeRate): void {
  writeRate(mint, start + FEE_CONFIG.older, rate);
  writeRate(mint, start + FEE_CONFIG.newer, rate);
}

/** Announces a rate. One announced before and already in force becomes the older one, otherwise it is replaced. */
export function announceRate(mint: Uint8Array, start: number, rate: Omit<FeeRate, 'epoch'>, epoch: bigint): void {
  const newer = start + FEE_CONFIG.newer;
  if (readRate(mint, newer).epoch <= epoch) mint.copyWithin(start + FEE_CONFIG.older, newer, newer + RATE.size);
  writeRate(mint, newer, { ...rate, epoch: epoch + NOTICE_EPOCHS });
}

function readRate(data: Uint8Array, offset: number): FeeRate {
  return {
    epoch: readU64(data, offset + RATE.epoch),
    maximumFee: readU64(data, offset + RATE.maximumFee),
    basisPoints: readU16(data, offset + RATE.basisPoints),
  };
}

function writeRate(data: Uint8Array, offset: number, rate: FeeRate): void {
  writeU64(data, offset + RATE.epoch, rate.epoch);
  writeU64(data, offset + RATE.maximumFee, rate.maximumFee);
  writeU16(data, offset + RATE.basisPoints, rate.basisPoints);
}
