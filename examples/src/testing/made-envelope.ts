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
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { Envelope } from '../envelope.ts';

export const BLOCKHASH = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM';
const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

export interface MadeTransaction {
  readonly feePayer: Address;
  readonly blockhash?: string;
  readonly version?: 0 | 1;
  /** Somebody else whose signature it wants. */
  readonly cosigner?: Address;
}

/** An unsigned transaction that does nothing but say `text`. */
export function madeTransaction(made: MadeTransaction, text = 'hello'): string {
  const { feePayer, version = 0, blockhash = BLOCKHASH, cosigner } = made;
  const accounts = cosigner === undefined ? [] : [{ address: cosigner, role: AccountRole.READONLY_SIGNER }];
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  const instruction = { programAddress: MEMO, accounts, data: new TextEncoder().encode(text) };
  const message = pipe(
    createTransactionMessage({ version }),
    (empty) => setTransactionMessageFeePayer(feePayer, empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(lifetime, payed),
    (dated) => setTransactionMessageComputeUnitLimit(20_000, dated),
    (limited) => appendTransactionMessageInstruction(instruction, limited),
  );
  return getBase64EncodedWireTransaction(compileTransaction(message));
}

export function madeEnvelope(base64: readonly (string | null)[], submit: Envelope['submit'] = 'sequential'): Envelope {
  return {
    account: '11111111111111111111111111111111',
    transactions: base64.map((text, index) => ({ base64: text, type: 'DEPOSIT', label: `Step ${index + 1}` })),
    action_tx_index: base64.length - 1,
    submit,
    blockhash: { value: BLOCKHASH, last_valid_block_height: 150 },
    summary: 'Says hello.',
    plan_id: 'plan',
  };
}
