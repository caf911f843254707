import { type Address, getAddressDecoder, getBase58Decoder } from '@solana/kit';
import { tokenBalanceChanges } from '../token-balance-changes.ts';
import type { RecordedInstruction, TransactionRecord } from '../transaction-record.ts';
import type { GeyserMessage, GeyserMeta, GeyserTransaction } from './geyser-client.ts';

const addressDecoder = getAddressDecoder();
const base58 = getBase58Decoder();

export function toAddress(bytes: Uint8Array): Address {
  return addressDecoder.decode(bytes);
}

export function toSignature(bytes: Uint8Array): string {
  return base58.decode(bytes);
}

/**
 * A streamed transaction in the one shape that every source gives. Null where the server left out what it did, or sent what makes no
 * sense: then it has to be read from a node.
 */
export function toRecord(
  update: GeyserTransaction,
  slot: bigint,
  unixTimestamp: bigint | null,
): TransactionRecord | null {
  const message = update.transaction?.message;
  const { meta } = update;
  const header = message?.header;
  if (message === undefined || header === undefined || meta === undefined || meta.innerInstructionsNone) return null;
  const fixed = message.accountKeys.map(toAddress);
  const loadedWritable = meta.loadedWritableAddresses.map(toAddress);
  const accounts = [...fixed, ...loadedWritable, ...meta.loadedReadonlyAddresses.map(toAddress)];
  const [feePayer] = accounts;
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const isComplete = [meta.preBalances, meta.postBalances].every(({ length }) => length === accounts.length);
  if (feePayer === undefined || !isComplete) return null;
  const instructions = toInstructions(message.instructions, meta.innerInstructions, accounts);
  const balances = [...meta.preTokenBalances, ...meta.postTokenBalances];
  if (instructions === null || balances.some(({ accountIndex }) => accountIndex >= accounts.length)) return null;
  return Object.freeze({
    signature: toSignature(update.signature),
    slot,
    unixTimestamp,
    version: message.config === undefined ? (message.versioned ? 0 : 'legacy') : 1,
    isFailed: meta.err !== undefined,
    instructions,
    logs: meta.logMessagesNone ? null : meta.logMessages,
    feePayer,
    signers: fixed.slice(0, numRequiredSignatures),
    writable: [
      ...fixed.slice(0, numRequiredSignatures - numReadonlySignedAccounts),
      ...fixed.slice(numRequiredSignatures, fixed.length - numReadonlyUnsignedAccounts),
      ...loadedWritable,
    ],
    feeLamports: BigInt(meta.fee),
    lamports: accounts.map((account, index) => ({
      account,
      before: BigInt(meta.preBalances[index] ?? 0),
      after: BigInt(meta.postBalances[index] ?? 0),
    })),
    tokenBalances: tokenBalanceChanges(accounts, meta.preTokenBalances, meta.postTokenBalances),
  });
}

/** In the order they ran; null when one names an account that is not there. */
function toInstructions(
  outer: GeyserMessage['instructions'],
  inner: GeyserMeta['innerInstructions'],
  accounts: readonly Address[],
): readonly RecordedInstruction[] | null {
  const recorded: RecordedInstruction[] = [];
  for (const [instructionIndex, own] of outer.entries()) {
    const called = inner.find(({ index }) => index === instructionIndex)?.instructions ?? [];
    const places = [
      { instruction: own, innerIndex: null, depth: 1 },
      ...called.map((instruction, innerIndex) => ({
        instruction,
        innerIndex,
        depth: instruction.stackHeight ?? null,
      })),
    ];
    for (const { instruction, innerIndex, depth } of places) {
      const programId = accounts[instruction.programIdIndex];
      const named = Array.from(instruction.accounts, (index) => accounts[index]);
      if (programId === undefined || !named.every((account) => account !== undefined)) return null;
      const { data } = instruction;
      recorded.push({ instructionIndex, innerIndex, depth, programId, accounts: named, data: new Uint8Array(data) });
    }
  }
  return recorded;
}
