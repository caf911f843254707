import {
  DRIFT_PROGRAM,
  driftSpotMarketLayout,
  JUPLEND_LENDING_PROGRAM,
  juplendLendingLayout,
  KLEND_PROGRAM,
  klendReserveLayout,
  MARGINFI_PROGRAM,
  mintLayout,
  NO_KEY,
  SOLEND_PROGRAM,
  STAKE_PROGRAM,
  solendReserveLayout,
  stakeAccountLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, address, getU64Encoder, getU128Encoder } from '@solana/kit';
import type { AccountBytes } from '#account.ts';
import type { P0Bank } from '#p0/bank.ts';
import { decodeBank } from '#p0/decode-bank.ts';
import { bankAccount, FEED } from './made-bank.ts';

/** What stands behind a bank that holds a venue's receipts; its address is the bank's second oracle key. */
export const VENUE_ACCOUNT: Address = address('d4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q');
export const STAKE: Address = address('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
export const ON_RAMP: Address = address('7jaiZR5Sk8hdYN9MxTpczTcwbWpb5WEoxSANuUwveuat');

/** A bank of an oracle setup, by number, whose keys are the feed, the venue's account (or LST mint), the pool's stake and its on-ramp. */
export function bankOfSetup(oracleSetup: number, fields: NonNullable<Parameters<typeof bankAccount>[0]> = {}): P0Bank {
  const oracleKeys = [FEED, VENUE_ACCOUNT, STAKE, ON_RAMP, NO_KEY];
  const config = { oracleSetup, oracleMaxAge: 60, oracleKeys, ...fields.config };
  return decodeBank(bankAccount({ ...fields, config }), MARGINFI_PROGRAM);
}

/** Bytes written at offsets that stand in the protocol's reference, apart from the codecs under test. */
function bytesAt(size: number, prefix: Uint8Array, fields: Readonly<Record<number, bigint | [bigint]>>): Uint8Array {
  const data = new Uint8Array(size);
  data.set(prefix);
  for (const [offset, value] of Object.entries(fields)) {
    const bytes = Array.isArray(value) ? getU128Encoder().encode(value[0]) : getU64Encoder().encode(value);
    data.set(bytes, Number(offset));
  }
  return data;
}

/** `Sf` fields take whole tokens here. */
export function madeKlendReserve(
  slot: bigint,
  {
    available = 0n,
    borrowedSf = 0n,
    protocolFeesSf = 0n,
    referrerFeesSf = 0n,
    pendingFeesSf = 0n,
    supply = 1n,
    decimals = 6n,
  },
): AccountBytes {
  const data = bytesAt(klendReserveLayout.fixedSize, klendReserveLayout.discriminator, {
    16: slot,
    224: available,
    232: [borrowedSf],
    272: decimals,
    344: [protocolFeesSf],
    360: [referrerFeesSf],
    376: [pendingFeesSf],
    2592: supply,
  });
  return { address: VENUE_ACCOUNT, owner: KLEND_PROGRAM, data };
}

export function madeSolendReserve(
  slot: bigint,
  { available = 0n, borrowedWads = 0n, protocolFeesWads = 0n, supply = 1n, decimals = 6 },
): AccountBytes {
  const data = bytesAt(solendReserveLayout.fixedSize, Uint8Array.of(1), {
    1: slot,
    171: available,
    179: [borrowedWads],
    259: supply,
    373: [protocolFeesWads],
  });
  data[74] = decimals;
  return { address: VENUE_ACCOUNT, owner: SOLEND_PROGRAM, data };
}

export function madeSpotMarket(lastInterestTs: bigint, cumulativeDepositInterest: bigint): AccountBytes {
  const data = bytesAt(driftSpotMarketLayout.fixedSize, driftSpotMarketLayout.discriminator, {
    464: [cumulativeDepositInterest],
    568: lastInterestTs,
  });
  return { address: VENUE_ACCOUNT, owner: DRIFT_PROGRAM, data };
}

export function madeLending(lastUpdateTimestamp: bigint, tokenExchangePrice: bigint): AccountBytes {
  const data = bytesAt(juplendLendingLayout.fixedSize, juplendLendingLayout.discriminator, {
    115: tokenExchangePrice,
    123: lastUpdateTimestamp,
  });
  return { address: VENUE_ACCOUNT, owner: JUPLEND_LENDING_PROGRAM, data };
}

/** The mint, the stake and the on-ramp of a single-validator pool. */
export function madePool({ supply = 1n, stake = 0n, stakeLamports = 0n, onRampLamports = 0n, stakeTag = 2 }) {
  const none = { isSome: false, value: NO_KEY };
  const mint = mintLayout.encode({
    mintAuthority: none,
    supply,
    decimals: 9,
    isInitialized: true,
    freezeAuthority: none,
  });
  const stakeData = bytesAt(stakeAccountLayout.fixedSize, Uint8Array.of(stakeTag), { 156: stake });
  const onRampData = bytesAt(stakeAccountLayout.fixedSize, Uint8Array.of(1), {});
  return {
    mint: { address: VENUE_ACCOUNT, owner: TOKEN_PROGRAM, data: Uint8Array.from(mint) },
    stake: { address: STAKE, owner: STAKE_PROGRAM, data: stakeData, lamports: stakeLamports },
    onRamp: { address: ON_RAMP, owner: STAKE_PROGRAM, data: onRampData, lamports: onRampLamports },
  } satisfies Record<string, AccountBytes>;
}
