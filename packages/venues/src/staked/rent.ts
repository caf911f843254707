import type { Address } from '@solana/kit';
import { getSysvarRentDecoder, SYSVAR_RENT_ADDRESS } from '@solana/sysvars';
import type { AccountBytes } from '../account.ts';
import type { P0Bank } from '../p0/bank.ts';
import { stakedPricingOf } from './read-multiplier.ts';

const RENT_SIZE = 17;
const decoder = getSysvarRentDecoder();

/** The sysvar that a moment's `rentLamportsPerByte` comes from, for the banks whose price asks for it; null for all others. */
export function rentSysvarOf(bank: P0Bank): Address | null {
  const isOnRamp = bank.oracle.setup === 'StakedWithPythPush' && stakedPricingOf(bank) === 'on_ramp';
  return isOnRamp ? SYSVAR_RENT_ADDRESS : null;
}

/** Lamports that one byte costs to be kept for ever; undefined where the account is missing or does not say a whole number. */
export function readRentLamportsPerByte(sysvar: AccountBytes | null): bigint | undefined {
  if (sysvar === null || sysvar.data.length < RENT_SIZE) return undefined;
  const { lamportsPerByteYear, exemptionThreshold } = decoder.decode(sysvar.data);
  return Number.isSafeInteger(exemptionThreshold) ? lamportsPerByteYear * BigInt(exemptionThreshold) : undefined;
}
