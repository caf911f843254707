import type { Address } from '@solana/kit';
import type { AccountState, Engine, ExecutionResult } from '#engine/engine.ts';
import { computeMessageFee } from '#ledger/priority-fee.ts';
import { decodeWireTransaction } from '#ledger/wire-transaction.ts';

const SYSTEM = '11111111111111111111111111111111' as Address;

/** Knows lamport transfers and nothing else: what the ledger and the server need to be tested without the programs. */
export const transferEngine: Engine = {
  execute(wire, accounts, _context, { verifySignatures }) {
    const { message, signatures } = decodeWireTransaction(wire);
    const fee = computeMessageFee(message);
    const keys = message.staticAccounts;
    const lamports = new Map(keys.map((key) => [key, accounts.get(key)?.lamports ?? 0n]));
    const pre = keys.map((key) => lamports.get(key) ?? 0n);
    const base = {
      unitsConsumed: 150n,
      fee,
      accountKeys: keys,
      loadedAddresses: { writable: [], readonly: [] },
      innerInstructions: [],
      returnData: null,
      preBalances: pre,
    };
    const refused = (error: string): ExecutionResult => ({
      ...base,
      error,
      isRecorded: false,
      logs: [],
      postBalances: pre,
      writes: new Map(),
    });
    if (verifySignatures && signatures.some((signature) => /^1+$/.test(signature))) return refused('SignatureFailure');
    const payer = keys[0] as Address;
    if ((lamports.get(payer) ?? 0n) < fee) return refused('AccountNotFound');
    lamports.set(payer, (lamports.get(payer) ?? 0n) - fee);
    const logs: string[] = [];
    const charged = new Map(lamports);
    for (const [index, { programIdIndex, accounts: at, data }] of message.instructions.entries()) {
      if (keys[programIdIndex] !== SYSTEM) continue;
      logs.push(`Program ${SYSTEM} invoke [1]`);
      const [from, to] = [keys[at[0] ?? 0] as Address, keys[at[1] ?? 0] as Address];
      const amount = new DataView(data.buffer as ArrayBuffer, data.byteOffset).getBigUint64(4, true);
      if ((lamports.get(from) ?? 0n) < amount) {
        logs.push(`Program ${SYSTEM} failed: custom program error: 0x1`);
        return finish(charged, { InstructionError: [index, { Custom: 1 }] });
      }
      lamports.set(from, (lamports.get(from) ?? 0n) - amount);
      lamports.set(to, (lamports.get(to) ?? 0n) + amount);
      logs.push(`Program ${SYSTEM} success`);
    }
    return finish(lamports, null);

    function finish(balances: ReadonlyMap<Address, bigint>, error: ExecutionResult['error']): ExecutionResult {
      const post = keys.map((key) => balances.get(key) ?? 0n);
      const writes = new Map<Address, AccountState>();
      for (const [index, key] of keys.entries()) {
        if (post[index] === pre[index]) continue;
        const state = accounts.get(key) ?? { owner: SYSTEM, data: new Uint8Array(), executable: false };
        writes.set(key, { ...state, lamports: post[index] ?? 0n });
      }
      return { ...base, error, isRecorded: true, logs, postBalances: post, writes };
    }
  },
};
