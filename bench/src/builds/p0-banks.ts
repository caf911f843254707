import { bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import { type Base58EncodedBytes, createSolanaRpc, getBase58Decoder, getBase64Encoder } from '@solana/kit';

/** Addresses of P0's own banks on a node: what the official SDK can read of them. */
export async function listP0Banks(rpcUrl: string): Promise<readonly string[]> {
  const bytes = getBase58Decoder().decode(bankLayout.discriminator) as string as Base58EncodedBytes;
  const found = await createSolanaRpc(rpcUrl)
    .getProgramAccounts(MARGINFI_PROGRAM, {
      encoding: 'base64',
      filters: [{ memcmp: { offset: 0n, bytes, encoding: 'base58' } }],
    })
    .send();
  return found
    .map(({ pubkey, account: { owner, data } }) => {
      const account = { address: pubkey, owner, data: new Uint8Array(getBase64Encoder().encode(data[0])) };
      return decodeBank(account, MARGINFI_PROGRAM);
    })
    .filter(({ venue }) => venue === 'p0')
    .map(({ address }) => address);
}
