import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getAddressDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import { writeU64 } from './bytes.ts';
import type { AccountSource, AccountState, SlotContext } from './engine.ts';
import { SYSTEM_PROGRAM } from './runtime-addresses.ts';

export const CONTEXT: SlotContext = {
  slot: 1_000n,
  unixTimestamp: 1_700_000_000n,
  epoch: 3n,
  lamportsPerSignature: 5_000n,
  minimumBalance: (dataLength) => BigInt(dataLength + 128) * 6_960n,
};

/** A lifetime; the engine does not look at it. */
const LIFETIME = { blockhash: SYSTEM_PROGRAM as string as Blockhash, lastValidBlockHeight: 0n };

export function addressOf(tag: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(tag));
}

export function wallet(lamports: bigint): AccountState {
  return { lamports, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false };
}

export function sourceOf(accounts: Readonly<Record<string, AccountState>>): AccountSource {
  return { get: (address) => accounts[address] };
}

export function transferOf(from: Address, to: Address, lamports: bigint): Instruction {
  const data = new Uint8Array(12);
  data[0] = 2;
  writeU64(data, 4, lamports);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: from, role: AccountRole.WRITABLE_SIGNER },
      { address: to, role: AccountRole.WRITABLE },
    ],
    data,
  };
}

export function legacyTransaction(payer: Address, instructions: readonly Instruction[]): Transaction {
  return pipe(
    createTransactionMessage({ version: 'legacy' }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    compileTransaction,
  );
}

export function messageV0(payer: Address) {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
  );
}

export function messageV1(payer: Address) {
  return pipe(
    createTransactionMessage({ version: 1 }),
    (message) => setTransactionMessageFeePayer(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(LIFETIME, message),
  );
}

export function wireOf(transaction: Transaction): Uint8Array {
  return new Uint8Array(getTransactionEncoder().encode(transaction));
}
