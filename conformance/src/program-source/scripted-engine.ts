import type { AccountState, Engine } from '@lending/localnet';
import {
  type Address,
  type Blockhash,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type SignatureBytes,
  type TransactionMessageBytes,
} from '@solana/kit';

/** What a transaction of the scripted engine does to the one account its instruction names. */
export type Script =
  | { readonly kind: 'nothing' | 'fail' | 'close' }
  | { readonly kind: 'write'; readonly data: Uint8Array };

const KINDS = ['nothing', 'fail', 'close', 'write'] as const;
const FEE = 5_000n;

/** An engine without programs: a transaction does what its only instruction says. */
export function createScriptedEngine(): Engine {
  return {
    execute(wire, accounts) {
      const message = getCompiledTransactionMessageDecoder().decode(getTransactionDecoder().decode(wire).messageBytes);
      if (message.version === 1) throw new Error('Not scripted');
      const accountKeys = message.staticAccounts;
      const [payer, account] = accountKeys;
      if (payer === undefined || account === undefined) throw new Error('It names too few accounts');
      const [kind = 0, ...bytes] = message.instructions[0]?.data ?? [];
      const isFailed = KINDS[kind] === 'fail';
      const before = accountKeys.map((key) => accounts.get(key));
      const payerState = before[0] as AccountState;
      const writes = new Map<Address, AccountState | undefined>([
        [payer, { ...payerState, lamports: payerState.lamports - FEE }],
      ]);
      if (KINDS[kind] === 'close') writes.set(account, undefined);
      if (KINDS[kind] === 'write') writes.set(account, { ...(before[1] as AccountState), data: new Uint8Array(bytes) });
      const lamportsOf = (state: AccountState | undefined) => state?.lamports ?? 0n;
      return {
        error: isFailed ? { InstructionError: [0, { Custom: 6000 }] } : null,
        isRecorded: true,
        logs: ['Program log: scripted'],
        unitsConsumed: 1n,
        fee: FEE,
        accountKeys,
        loadedAddresses: { writable: [], readonly: [] },
        innerInstructions: [],
        returnData: null,
        preBalances: before.map(lamportsOf),
        postBalances: accountKeys.map((key, index) => lamportsOf(writes.has(key) ? writes.get(key) : before[index])),
        writes,
      };
    },
  };
}

let sent = 0;

/** The bytes of a transaction for that engine; every one is another. */
export function scriptedTransaction(
  payer: Address,
  account: Address,
  program: Address,
  blockhash: Blockhash,
  script: Script,
): Uint8Array {
  sent += 1;
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, sent);
  const bytes = script.kind === 'write' ? script.data : count;
  const messageBytes = getCompiledTransactionMessageEncoder().encode({
    version: 0,
    header: { numSignerAccounts: 1, numReadonlySignerAccounts: 0, numReadonlyNonSignerAccounts: 1 },
    staticAccounts: [payer, account, program],
    lifetimeToken: blockhash,
    instructions: [
      { programAddressIndex: 2, accountIndices: [1], data: Uint8Array.of(KINDS.indexOf(script.kind), ...bytes) },
    ],
    addressTableLookups: [],
  }) as TransactionMessageBytes;
  const signature = new Uint8Array(64);
  signature.set(count, 60);
  signature[0] = 1;
  return new Uint8Array(
    getTransactionEncoder().encode({ messageBytes, signatures: { [payer]: signature as SignatureBytes } }),
  );
}

/** The signature as it is written. */
export function signatureOf(wire: Uint8Array): string {
  const [signature] = Object.values(getTransactionDecoder().decode(wire).signatures);
  return getBase58Decoder().decode(signature ?? new Uint8Array(64));
}
