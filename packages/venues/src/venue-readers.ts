import type { AccountBytes } from './account.ts';
import { decodeOnce } from './decode-once.ts';
import { decodeReserve as decodeDriftMarket, decodeUser } from './drift/decode-reserve.ts';
import { decodeLending, decodeTokenReserve } from './juplend/decode-reserve.ts';
import { decodeReserve as decodeKaminoReserve, decodeMarket } from './kamino/decode-reserve.ts';
import { decodeReserve as decodeSolendReserve } from './solend/decode-reserve.ts';

/** An account that was read: null where there is none at the address, undefined where it was not asked for. */
export type ReadAccount = (address: AccountBytes['address']) => AccountBytes | null | undefined;

/**
 * What venues' accounts hold, owner, kind and length checked; an account is decoded once.
 * All throw DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE.
 */
export const kaminoReserve = decodeOnce(decodeKaminoReserve);
export const kaminoMarket = decodeOnce(decodeMarket);
export const solendReserve = decodeOnce(decodeSolendReserve);
export const driftMarket = decodeOnce(decodeDriftMarket);
export const driftUser = decodeOnce(decodeUser);
export const juplendLending = decodeOnce(decodeLending);
export const juplendTokenReserve = decodeOnce(decodeTokenReserve);
