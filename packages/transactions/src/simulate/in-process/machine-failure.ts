import { ofInstruction, type TransactionFailure } from '../transaction-failure.ts';

/**
 * Reads why LiteSVM refused a transaction out of its own words, which spell errors as nodes do. Its numbers for them are an order of its
 * own. The words begin `FailedTransactionMetadata(FailedTransactionMetadata { err: InstructionError(1, Custom(6009)), meta: …`.
 */
export function readMachineFailure(words: string): TransactionFailure {
  const [, index, name = '', custom] = /^[^:]*\{ err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(words) ?? [];
  if (index === undefined) return { error: null, reason: /\{ err: (\w+)/.exec(words)?.[1] ?? 'Unknown' };
  return ofInstruction(Number(index), name === 'Custom' ? { Custom: Number(custom) } : name);
}
