import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { WALLET } from './account-rows.ts';

export const BLOCKHASH = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';

/** An unsigned transaction of the wallet's as base64; `data` makes it another. */
export function wireTransaction(program: Address, data = 1): string {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (each) => setTransactionMessageFeePayer(address(WALLET), each),
    (each) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: BLOCKHASH as Blockhash, lastValidBlockHeight: 1_150n },
        each,
      ),
    (each) =>
      appendTransactionMessageInstruction(
        {
          programAddress: program,
          accounts: [{ address: address(WALLET), role: AccountRole.WRITABLE_SIGNER }],
          data: Uint8Array.of(data),
        },
        each,
      ),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
