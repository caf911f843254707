import { JITO_TIP_ACCOUNTS, SYSTEM_PROGRAM } from '@lending/programs';
import type { TransactionTrace } from './activity.ts';

/** The system program's instruction number of a transfer, u32 before the lamports. */
const TRANSFER = 2;

const tipAccounts: ReadonlySet<string> = new Set(JITO_TIP_ACCOUNTS);

/** Lamports sent to block builders anywhere in a transaction, by the transaction itself or by a program it calls. */
export function tipLamportsOf(trace: TransactionTrace): bigint {
  return trace.instructions.reduce((sum, { programId, accounts, data }) => {
    const isTip = programId === SYSTEM_PROGRAM && data.length >= 12 && tipAccounts.has(accounts[1] ?? '');
    if (!isTip) return sum;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    return view.getUint32(0, true) === TRANSFER ? sum + view.getBigUint64(4, true) : sum;
  }, 0n);
}
