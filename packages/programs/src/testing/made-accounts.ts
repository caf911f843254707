import { type Address, getAddressDecoder, type ReadonlyUint8Array } from '@solana/kit';
import { type Bank, bankLayout } from '#marginfi/bank.ts';
import { type MarginfiAccount, marginfiAccountLayout } from '#marginfi/marginfi-account.ts';
import { NO_KEY } from '#no-key.ts';
import { type PriceUpdateV2, priceUpdateV2Layout } from '#pyth/price-update-v2.ts';
import { type PullFeed, pullFeedLayout } from '#switchboard/pull-feed.ts';
import { type TokenAccount, tokenAccountLayout } from '#token/account.ts';
import { type Mint, mintLayout } from '#token/mint.ts';

/** Bytes of accounts that never were on a chain, for the tests of all packages: what is not given is zero, or as its maker says. */

interface Written<T> {
  encode(value: T): ReadonlyUint8Array;
}
interface Read<T> {
  readonly fixedSize: number;
  readonly discriminator?: Uint8Array;
  decode(bytes: Uint8Array): T;
}

const I80F48_ONE = 1n << 48n;

/** The nth of many addresses that belong to no program. */
export function madeAddress(nth: number, fill = 9): Address {
  const bytes = new Uint8Array(32).fill(fill);
  new DataView(bytes.buffer).setUint32(0, nth);
  return getAddressDecoder().decode(bytes);
}

/** An account with zeros everywhere behind its discriminator. */
export function zeroOf<T>(layout: Read<T>): T {
  const empty = new Uint8Array(layout.fixedSize);
  empty.set(layout.discriminator ?? []);
  return layout.decode(empty);
}

/** Bytes of a value that a test may write into, as many as `size` where an account is longer than its layout. */
export function bytesOf<T>(encoder: Written<T>, value: T, size?: number): Uint8Array<ArrayBuffer> {
  const encoded = encoder.encode(value);
  const bytes = new Uint8Array(size ?? encoded.length);
  bytes.set(encoded);
  return bytes;
}

/** An account with the given fields, zeros elsewhere. */
export const madeBytes = <TArgs extends object, T extends TArgs>(
  layout: Written<TArgs> & Read<T>,
  fields: Partial<TArgs> = {},
): Uint8Array<ArrayBuffer> => bytesOf(layout, { ...zeroOf(layout), ...fields });

export type BankFields = Partial<Omit<Bank, 'config' | 'cache'>> & {
  readonly config?: Partial<Bank['config']>;
  readonly cache?: Partial<Bank['cache']>;
};

/** An operational bank of six decimals whose shares are worth one. */
export function bankBytes({ config, cache, ...fields }: BankFields = {}, size?: number): Uint8Array<ArrayBuffer> {
  const zero = zeroOf(bankLayout);
  const shares = { assetShareValue: I80F48_ONE, liabilityShareValue: I80F48_ONE };
  const bank: Bank = {
    ...{ ...zero, mintDecimals: 6, ...shares, ...fields },
    config: { ...zero.config, operationalState: 1, ...config },
    cache: { ...zero.cache, ...cache },
  };
  return bytesOf(bankLayout, bank, size);
}

/** Keys of a bank's oracle, filled up with none. */
export const oracleKeys = (...keys: readonly Address[]): Address[] =>
  Array.from({ length: 5 }, (_, nth) => keys[nth] ?? NO_KEY);

export type MadeBalance = Partial<MarginfiAccount['lendingAccount']['balances'][number]>;

/** A lending account with balances in the slots they name. */
export function lendingAccountBytes(
  balances: Readonly<Record<number, MadeBalance>>,
  fields: Partial<MarginfiAccount> = {},
): Uint8Array<ArrayBuffer> {
  const { lendingAccount } = zeroOf(marginfiAccountLayout);
  const slots = lendingAccount.balances.map((none, slot) => {
    const balance = balances[slot];
    return balance === undefined ? none : { ...none, active: 1, ...balance };
  });
  return madeBytes(marginfiAccountLayout, { ...fields, lendingAccount: { ...lendingAccount, balances: slots } });
}

const NONE = { isSome: false, value: NO_KEY } as const;

/** A mint of six decimals without supply. */
export const mintBytes = (fields: Partial<Mint> = {}): Uint8Array<ArrayBuffer> =>
  bytesOf(mintLayout, {
    ...{ mintAuthority: NONE, supply: 0n, decimals: 6, isInitialized: true, freezeAuthority: NONE },
    ...fields,
  });

/** A token account that nothing was delegated of. */
export const tokenAccountBytes = (
  fields: Pick<TokenAccount, 'mint' | 'amount'> & Partial<TokenAccount>,
): Uint8Array<ArrayBuffer> =>
  bytesOf(tokenAccountLayout, {
    ...{ owner: NO_KEY, delegate: NONE, state: 1, isNative: { isSome: false, value: 0n }, delegatedAmount: 0n },
    ...{ closeAuthority: NONE, ...fields },
  });

/** A price of Pyth in full; what the message does not say of its average is as of the moment. */
export function priceUpdateBytes(
  publishTime: bigint,
  message: Pick<PriceUpdateV2['priceMessage'], 'price'> & Partial<PriceUpdateV2['priceMessage']>,
  verificationLevel: PriceUpdateV2['verificationLevel'] = { __kind: 'Full' },
): Uint8Array<ArrayBuffer> {
  const average = { emaPrice: message.price, emaConf: message.conf ?? 0n };
  return bytesOf(priceUpdateV2Layout, {
    ...{ writeAuthority: NO_KEY, verificationLevel, postedSlot: 1n },
    priceMessage: {
      ...{ feedId: new Uint8Array(32), conf: 0n, exponent: -8, publishTime, prevPublishTime: publishTime },
      ...{ ...average, ...message },
    },
  });
}

/** A price of Switchboard, with 18 decimals, without deviation. */
export function pullFeedBytes(
  lastUpdateTimestamp: bigint,
  result: Partial<PullFeed['result']>,
): Uint8Array<ArrayBuffer> {
  return madeBytes(pullFeedLayout, { lastUpdateTimestamp, result: { ...zeroOf(pullFeedLayout).result, ...result } });
}
