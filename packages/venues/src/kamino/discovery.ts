import { KLEND_PROGRAM, klendReserveLayout, NO_KEY, placeOf } from '@lending/programs';
import { type Address, getAddressDecoder, getStructDecoder } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import { readEach } from '../read-each.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { ListAccounts } from '../venue-adapter.ts';

/** Where a reserve's keys stand: its market, its two farms and its mint, one after the other. */
const KEYS_OFFSET = placeOf(klendReserveLayout, 'lendingMarket').offset;
const KEYS_LENGTH = 4 * 32;

const keysDecoder = getStructDecoder([
  ['market', getAddressDecoder()],
  ['farmCollateral', getAddressDecoder()],
  ['farmDebt', getAddressDecoder()],
  ['mint', getAddressDecoder()],
]);

/**
 * Every reserve of every Kamino market, known by discriminator and size. Only the first 160 bytes of each are asked for; what else a
 * reading needs they name.
 */
export async function discoverReserves(
  list: ListAccounts,
  onReject: (reserve: Address, error: unknown) => void,
): Promise<readonly ReserveKeys[]> {
  const found = await list({
    program: KLEND_PROGRAM,
    filters: [
      { kind: 'content', offset: 0, bytes: klendReserveLayout.discriminator },
      { kind: 'size', bytes: klendReserveLayout.fixedSize },
    ],
    slice: { offset: 0, length: KEYS_OFFSET + KEYS_LENGTH },
  });
  return readEach(found, keysOf, onReject);
}

function keysOf(account: AccountBytes): ReserveKeys {
  const shape = {
    kind: 'Kamino reserve',
    owner: KLEND_PROGRAM,
    discriminator: klendReserveLayout.discriminator,
    size: KEYS_OFFSET + KEYS_LENGTH,
  };
  const { market, farmCollateral, farmDebt, mint } = decodeAccount(account, shape, {
    ...keysDecoder,
    decode: (bytes) => keysDecoder.decode(bytes, KEYS_OFFSET),
  });
  const farms = [farmCollateral, farmDebt].filter((farm) => farm !== NO_KEY);
  const accounts = [...new Set([account.address, market, ...farms])];
  return { venue: 'kamino', address: account.address, market, mint, accounts };
}
