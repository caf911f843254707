import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { type Address, getBase16Decoder, type Instruction } from '@solana/kit';

/** First bytes of an instruction's data that say which one it is, where it is not Anchor's eight: amounts follow right after. */
const TAG_BYTES: Readonly<Record<Address, number>> = {
  [SYSTEM_PROGRAM]: 4,
  [TOKEN_PROGRAM]: 1,
  [TOKEN_2022_PROGRAM]: 1,
  [ASSOCIATED_TOKEN_PROGRAM]: 1,
};
const ANCHOR_TAG_BYTES = 8;
const hex = getBase16Decoder();

/** Which instruction of which program it is, whatever its amounts and accounts. */
export function kindOf({ programAddress, data }: Instruction): string {
  const tag = data?.slice(0, TAG_BYTES[programAddress] ?? ANCHOR_TAG_BYTES) ?? new Uint8Array();
  return `${programAddress} ${hex.decode(tag)}`;
}
