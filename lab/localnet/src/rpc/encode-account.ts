import type { Address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import type { AccountConfig, AccountFilter } from './parameters.ts';
import { fromBase58, fromBase64 } from './parameters.ts';

/** What nodes report for accounts exempt from rent: never. */
const RENT_EPOCH = 18_446_744_073_709_551_615n;
/** An account as RPC replies carry it. */
export function encodeAccount(
  { lamports, owner, executable, data }: AccountState,
  { dataSlice }: AccountConfig,
): object {
  const cut = dataSlice === undefined ? data : data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length);
  const base = { executable, lamports, owner, rentEpoch: RENT_EPOCH, space: data.length };
  return { data: [base64(cut), 'base64'], ...base };
}

export function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

/** A test of one account against filters, prepared once per request. */
export function compileFilters(filters: readonly AccountFilter[]): (state: AccountState) => boolean {
  const tests = filters.map(compileFilter);
  return (state) => tests.every((test) => test(state));
}

function compileFilter(filter: AccountFilter): (state: AccountState) => boolean {
  if ('dataSize' in filter) return ({ data }) => data.length === filter.dataSize;
  const { offset, bytes: text, encoding } = filter.memcmp;
  const bytes = encoding === 'base64' ? fromBase64(text) : fromBase58(text);
  return ({ data }) =>
    data.length >= offset + bytes.length && bytes.every((byte, index) => data[offset + index] === byte);
}

/** `{pubkey, account}` of program and token listings. */
export function encodeKeyedAccount(pubkey: Address, state: AccountState, config: AccountConfig): object {
  return { pubkey, account: encodeAccount(state, config) };
}
