import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { TransactionTrace } from './activity.ts';
import type { TraceInstruction } from './activity-calls.ts';

/** Tokens that an instruction of a token program moved. Base units, before a fee of the mint. */
interface TokenTransfer {
  readonly source: Address;
  readonly destination: Address;
  readonly mint: Address | null;
  readonly amount: bigint;
  /** What the mint's fee kept; null where the instruction does not say. */
  readonly fee: bigint | null;
}

/** First byte of the token programs' instructions, and the second one of the fee extension's. */
const TRANSFER = 3;
const TRANSFER_CHECKED = 12;
const FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/**
 * Transfers among instructions, in their order.
 * @see solana-program/token interface/src/instruction.rs, token-2022 extension/transfer_fee/instruction.rs
 */
export function transfersOf(instructions: readonly TraceInstruction[]): readonly TokenTransfer[] {
  return instructions.flatMap((instruction) => {
    const transfer = readTransfer(instruction);
    return transfer === null ? [] : [transfer];
  });
}

function readTransfer({ programId, accounts, data }: TraceInstruction): TokenTransfer | null {
  if (programId !== TOKEN_PROGRAM && programId !== TOKEN_2022_PROGRAM) return null;
  const [first, second, third] = accounts;
  if (first === undefined || second === undefined) return null;
  if (data[0] === TRANSFER && data.length >= 9) {
    const fee = programId === TOKEN_PROGRAM ? 0n : null;
    return { source: first, destination: second, mint: null, amount: readU64(data, 1), fee };
  }
  if (third === undefined) return null;
  const checked = { source: first, mint: second, destination: third };
  if (data[0] === TRANSFER_CHECKED && data.length >= 9) {
    return { ...checked, amount: readU64(data, 1), fee: programId === TOKEN_PROGRAM ? 0n : null };
  }
  const isWithFee = data[0] === FEE_EXTENSION && data[1] === TRANSFER_CHECKED_WITH_FEE && data.length >= 19;
  return isWithFee ? { ...checked, amount: readU64(data, 2), fee: readU64(data, 11) } : null;
}

function readU64(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true);
}

/** By how much a token account changed, when one instruction alone can have done it; null otherwise. */
export function loneChange(
  trace: TransactionTrace,
  account: Address,
  by: TraceInstruction,
  inner: readonly TraceInstruction[],
): bigint | null {
  const found = trace.tokenBalances.find((balance) => balance.account === account);
  if (found === undefined) return null;
  const others = trace.instructions.filter((each) => each !== by && !inner.includes(each));
  if (others.some(({ accounts }) => accounts.includes(account))) return null;
  return found.after - found.before;
}

/** The mint of a token account, as the transaction tells it. */
export function mintOfTokenAccount(trace: TransactionTrace, account: Address): Address | null {
  return trace.tokenBalances.find((balance) => balance.account === account)?.mint ?? null;
}
