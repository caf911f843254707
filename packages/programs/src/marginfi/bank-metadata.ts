import { account } from '#layout/account.ts';
import { bytes, pubkey, u8, u16, u64, type ValueOf } from '#layout/field-types.ts';

/**
 * What an administrator wrote about a bank, as UTF-8 in fixed byte ranges. `end*` is the index of the last byte of its
 * text, 0 when there is none. Field order and names are the IDL's (0.1.8).
 */
export const bankMetadataLayout = account('BankMetadata', {
  bank: pubkey,
  placeholder: u64,
  ticker: bytes(64),
  description: bytes(128),
  dataBlob: bytes(256),
  endDescriptionByte: u16,
  endDataBlob: u16,
  endTickerByte: u8,
  bump: u8,
  _pad0: bytes(2),
});

export type BankMetadata = ValueOf<typeof bankMetadataLayout>;
