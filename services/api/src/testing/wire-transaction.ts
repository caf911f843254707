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

/** An unsigned transaction of the wallet's as base64; `data` makes it another, and `dataBytes` a larger one. */
export function wireTransaction(program: Address, data = 1, dataBytes = 1): string {
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
          data: new Uint8Array(dataBytes).fill(data),
        },
        each,
      ),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}
