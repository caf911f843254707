import { type Address, address, getU16Encoder, type ProgramDerivedAddress } from '@solana/kit';
import { findDerivedAddress } from '#derived-address.ts';
import { getAddressBytes } from '#fixed-offset/address-codec.ts';

/** Drift on mainnet. */
export const DRIFT_PROGRAM: Address = address('dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH');
/** The one state account of the exchange: PDA of `drift_state`. */
export const DRIFT_STATE: Address = address('5zpq7DvB6UdFFvpmBPspGPNfUGoBRRCE2HHg5u3gxcsN');
/** Owns every vault: PDA of `drift_signer`. */
export const DRIFT_SIGNER: Address = address('JCNCMFXo5M5qwUPg2Utu1u6YWp3MbygxqBsBeXXJfrw');

const u16 = getU16Encoder();

/** A market stores this address, too, as `pubkey`. */
export function findDriftSpotMarket(marketIndex: number): Promise<ProgramDerivedAddress> {
  return find(['spot_market', u16.encode(marketIndex)]);
}

/** The token account with what a market's depositors can take out; the market stores the same address. */
export function findDriftSpotMarketVault(marketIndex: number): Promise<ProgramDerivedAddress> {
  return find(['spot_market_vault', u16.encode(marketIndex)]);
}

/** The token account of a market's insurance fund; the market stores the same address. */
export function findDriftInsuranceVault(marketIndex: number): Promise<ProgramDerivedAddress> {
  return find(['insurance_fund_vault', u16.encode(marketIndex)]);
}

/** One sub-account of a trader; P0's banks use number 0. */
export function findDriftUser(authority: Address, subAccountId = 0): Promise<ProgramDerivedAddress> {
  return find(['user', getAddressBytes(authority), u16.encode(subAccountId)]);
}

function find(seeds: Parameters<typeof findDerivedAddress>[0]['seeds']): Promise<ProgramDerivedAddress> {
  return findDerivedAddress({ programAddress: DRIFT_PROGRAM, seeds });
}
