import { zstdCompressSync } from 'node:zlib';
import { TOKEN_2022_PROGRAM, TOKEN_ACCOUNT_STATE } from '@lending/programs';
import { type Address, getBase58Decoder } from '@solana/kit';
import type { AccountSource, AccountState } from '#engine/engine.ts';
import { isTokenProgram, optional, readMint, readTokenAccount } from '#ledger/token-balance.ts';
import { rpcErrors } from './json-rpc-error.ts';
import { parseLookupTable } from './lookup-table.ts';
import type { AccountConfig, AccountFilter } from './parameters.ts';
import { fromBase58, fromBase64 } from './parameters.ts';
import { encodeTokenAmount } from './token-amount.ts';

/** What nodes report for accounts exempt from rent: never. */
const RENT_EPOCH = 18_446_744_073_709_551_615n;
/** Base58 is quadratic, so nodes refuse it for longer data. */
const MAX_BASE58_BYTES = 128;

/** An account as RPC replies carry it; `accounts` is where the mint of a parsed token account is looked up. */
export function encodeAccount(state: AccountState, config: AccountConfig, accounts: AccountSource): object {
  const { lamports, owner, executable } = state;
  const base = { executable, lamports, owner, rentEpoch: RENT_EPOCH, space: state.data.length };
  const parsed = config.encoding === 'jsonParsed' ? parseData(state, accounts) : undefined;
  return { data: parsed ?? encodeData(slice(state.data, config), config.encoding), ...base };
}

function encodeData(data: Uint8Array, encoding: AccountConfig['encoding']): unknown {
  switch (encoding) {
    case 'base58':
      return [base58(data), 'base58'];
    case 'binary':
      return base58(data);
    case 'base64':
    case 'jsonParsed':
      return [base64(data), 'base64'];
    case 'base64+zstd':
      return [base64(zstdCompressSync(data)), 'base64+zstd'];
    default:
      return encoding satisfies never;
  }
}

export function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}

function base58(data: Uint8Array): string {
  if (data.length <= MAX_BASE58_BYTES) return getBase58Decoder().decode(data);
  throw rpcErrors.invalidRequest(
    `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
  );
}

function slice(data: Uint8Array, { dataSlice }: AccountConfig): Uint8Array {
  return dataSlice === undefined ? data : data.subarray(dataSlice.offset, dataSlice.offset + dataSlice.length);
}

/** Token accounts, mints and lookup tables in words; everything else falls back to base64, as nodes do for programs they cannot parse. */
function parseData(state: AccountState, accounts: AccountSource): object | undefined {
  if (!isTokenProgram(state.owner)) return parseLookupTable(state);
  const program = state.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token';
  const space = state.data.length;
  const mint = readMint(state);
  if (mint !== undefined) {
    const { decimals, isInitialized, supply } = mint;
    const authorities = {
      mintAuthority: optional(mint.mintAuthority),
      freezeAuthority: optional(mint.freezeAuthority),
    };
    const info = { decimals, isInitialized, supply: supply.toString(), ...authorities };
    return { parsed: { info, type: 'mint' }, program, space };
  }
  const token = readTokenAccount(state);
  const decimals = token === undefined ? undefined : readMint(accounts.get(token.mint))?.decimals;
  if (token === undefined || decimals === undefined) return undefined;
  const { delegate, isNative, closeAuthority } = token;
  const info = {
    isNative: isNative.isSome,
    mint: token.mint,
    owner: token.owner,
    state: token.state === TOKEN_ACCOUNT_STATE.frozen ? 'frozen' : 'initialized',
    tokenAmount: encodeTokenAmount(token.amount, decimals),
    ...(delegate.isSome
      ? { delegate: delegate.value, delegatedAmount: encodeTokenAmount(token.delegatedAmount, decimals) }
      : {}),
    ...(isNative.isSome ? { rentExemptReserve: encodeTokenAmount(isNative.value, decimals) } : {}),
    ...(closeAuthority.isSome ? { closeAuthority: closeAuthority.value } : {}),
  };
  return { parsed: { info, type: 'account' }, program, space };
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
export function encodeKeyedAccount(
  pubkey: Address,
  state: AccountState,
  config: AccountConfig,
  accounts: AccountSource,
): object {
  return { pubkey, account: encodeAccount(state, config, accounts) };
}
