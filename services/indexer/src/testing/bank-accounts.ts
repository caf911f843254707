import { I80F48_ONE } from '@lending/domain';
import {
  BANK_DISCRIMINATOR,
  BANK_METADATA_DISCRIMINATOR,
  BANK_METADATA_SIZE,
  BANK_SIZE,
  type Bank,
  getBankDecoder,
  getBankEncoder,
  getBankMetadataDecoder,
  getBankMetadataEncoder,
  getMintEncoder,
  MARGINFI_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';

/** An account without its address and slot. */
export interface AccountContent {
  readonly owner: Address;
  readonly data: Uint8Array;
}

export const GROUP: Address = address('4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8');
export const FEED: Address = address('Dpw1EAVrSB1ibxiDQyTAW6Zip3J4Btk2x4SgApQCeFbX');
/** A mint nobody knows. */
export const MINT: Address = address('7jaiZR5Sk8hdYN9MxTpczTcwbWpb5WEoxSANuUwveuat');
const NO_KEY: Address = address('11111111111111111111111111111111');

export type BankFields = Partial<Omit<Bank, 'config'>> & { readonly config?: Partial<Bank['config']> };

/** An operational bank with the given fields, zero elsewhere. */
export function bankContent(fields: BankFields = {}): AccountContent {
  const empty = new Uint8Array(BANK_SIZE);
  empty.set(BANK_DISCRIMINATOR);
  const zero = getBankDecoder().decode(empty);
  const bank: Bank = {
    ...zero,
    group: GROUP,
    mint: MINT,
    mintDecimals: 6,
    assetShareValue: I80F48_ONE,
    liabilityShareValue: I80F48_ONE,
    ...fields,
    config: {
      ...zero.config,
      operationalState: 1,
      oracleSetup: 3,
      oracleKeys: [FEED, NO_KEY, NO_KEY, NO_KEY, NO_KEY],
      ...fields.config,
    },
  };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(getBankEncoder().encode(bank)) };
}

export function metadataContent(bank: Address, ticker: string): AccountContent {
  const empty = new Uint8Array(BANK_METADATA_SIZE);
  empty.set(BANK_METADATA_DISCRIMINATOR);
  const bytes = Buffer.from(ticker);
  const metadata = { ...getBankMetadataDecoder().decode(empty), bank, ticker: bytes, endTickerByte: bytes.length - 1 };
  return { owner: MARGINFI_PROGRAM, data: Uint8Array.from(getBankMetadataEncoder().encode(metadata)) };
}

export function mintContent(program: 'spl' | 'token_2022' = 'spl'): AccountContent {
  const none = { isSome: false, value: NO_KEY };
  const mint = { mintAuthority: none, supply: 0n, decimals: 6, isInitialized: true, freezeAuthority: none };
  const owner = program === 'spl' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  return { owner, data: Uint8Array.from(getMintEncoder().encode(mint)) };
}
