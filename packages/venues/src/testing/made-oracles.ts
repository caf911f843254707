import {
  DRIFT_PROGRAM,
  driftSpotMarketLayout,
  EXPONENT_PROGRAM,
  exponentVaultLayout,
  JUPLEND_LENDING_PROGRAM,
  juplendLendingLayout,
  KLEND_PROGRAM,
  klendReserveLayout,
  MARGINFI_PROGRAM,
  MARINADE_PROGRAM,
  marinadeStateLayout,
  NO_KEY,
  SCOPE_PROGRAM,
  SOLEND_PROGRAM,
  STAKE_POOL_PROGRAM,
  STAKE_PROGRAM,
  scopePricesLayout,
  solendReserveLayout,
  stakeAccountLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { mintBytes } from '@lending/programs/testing/made-accounts.ts';
import { type Address, address, getU64Encoder, getU128Encoder, type ReadonlyUint8Array } from '@solana/kit';
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
function bytesAt(
  size: number,
  prefix: ReadonlyUint8Array,
  fields: Readonly<Record<number, bigint | [bigint]>>,
): Uint8Array {
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
  const stakeData = bytesAt(stakeAccountLayout.fixedSize, Uint8Array.of(stakeTag), { 156: stake });
  const onRampData = bytesAt(stakeAccountLayout.fixedSize, Uint8Array.of(1), {});
  return {
    mint: { address: VENUE_ACCOUNT, owner: TOKEN_PROGRAM, data: mintBytes({ supply, decimals: 9 }) },
    stake: { address: STAKE, owner: STAKE_PROGRAM, data: stakeData, lamports: stakeLamports },
    onRamp: { address: ON_RAMP, owner: STAKE_PROGRAM, data: onRampData, lamports: onRampLamports },
  } satisfies Record<string, AccountBytes>;
}

/** A table of Scope's with one price in it. */
export function madeScope(
  unixTimestamp: bigint,
  { entry = 0, value = 2_500_000_000n, exp = 9n }: { entry?: number; value?: bigint; exp?: bigint } = {},
): AccountBytes {
  const at = 40 + entry * 56;
  const fields = { [at]: value, [at + 8]: exp, [at + 16]: 1n, [at + 24]: unixTimestamp };
  return { address: FEED, owner: SCOPE_PROGRAM, data: bytesAt(28_712, scopePricesLayout.discriminator, fields) };
}

/** Marinade's pool: 2,298 SOL staked, 54 in its reserve, 1 and 2 cooling down, 31 owed, for 1,653 mSOL. */
export function madeMarinade(at: Address = VENUE_ACCOUNT, fields: Readonly<Record<number, bigint>> = {}): AccountBytes {
  const data = bytesAt(marinadeStateLayout.fixedSize, marinadeStateLayout.discriminator, {
    ...{ 376: 2_298_268_116_607n, 226: 1_000_000_000n, 568: 2_000_000_000n, 496: 54_120_945_998n },
    ...{ 528: 30_878_958_632n, 504: 1_653_825_758_746n, 512: 6_028_935_980n },
    ...fields,
  });
  return { address: at, owner: MARINADE_PROGRAM, data };
}

/** A stake pool whose tokens are worth 1.292015 SOL, last updated in epoch 700. */
export function madeStakePool(
  at: Address = VENUE_ACCOUNT,
  fields: Readonly<Record<number, bigint>> = {},
): AccountBytes {
  const totals = { 258: 1_292_015_000_000n, 266: 1_000_000_000_000n, 274: 700n };
  return { address: at, owner: STAKE_POOL_PROGRAM, data: bytesAt(611, Uint8Array.of(1), { ...totals, ...fields }) };
}

/** An Exponent vault that backs its principal tokens in full: half as much SY, each worth two. */
export function madeVault(
  { startTs, duration }: { readonly startTs: number; readonly duration: number },
  at: Address = VENUE_ACCOUNT,
  fields: Readonly<Record<number, bigint>> = {},
): AccountBytes {
  const data = bytesAt(914, exponentVaultLayout.discriminator, {
    264: BigInt(startTs) | (BigInt(duration) << 32n),
    ...{ 337: 2n * 10n ** 12n, 369: 2n * 10n ** 12n, 441: 500_000_000_000n, 449: 1_000_000_000_000n },
    ...fields,
  });
  return { address: at, owner: EXPONENT_PROGRAM, data };
}
