import type { Chain, RecordedInstruction } from '@lending/chain';
import { LendingError } from '@lending/errors';
import { readLookupTable } from '@lending/programs';
import { assertReadable, type CompiledTransaction } from '@lending/transactions';
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  isTransactionWithinSizeLimit,
  type Signature,
  walkInstructions,
} from '@solana/kit';

/** A transaction as its bytes say it. */
export interface WireTransaction {
  readonly wire: Uint8Array;
  /** All but the signatures: what tells whether two are the same. */
  readonly messageBytes: Uint8Array;
  readonly message: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
}

const transactionDecoder = getTransactionDecoder();
const messageDecoder = getCompiledTransactionMessageDecoder();
const messageEncoder = getCompiledTransactionMessageEncoder();

/** Null for bytes that are no transaction, or that a node does not take for one: too many, or some left over. */
export function readWire(base64: string): WireTransaction | null {
  try {
    const wire = new Uint8Array(Buffer.from(base64, 'base64'));
    const transaction = transactionDecoder.decode(wire);
    if (!isTransactionWithinSizeLimit(transaction)) return null;
    const messageBytes = transaction.messageBytes as unknown as Uint8Array;
    const message = messageDecoder.decode(messageBytes);
    return messageEncoder.encode(message).length === messageBytes.length ? { wire, messageBytes, message } : null;
  } catch {
    return null;
  }
}

/** The bytes of a transaction that landed; null: the node does not have it. */
export async function fetchWire(
  { rpc }: Pick<Chain, 'rpc'>,
  signature: string,
  signal: AbortSignal,
): Promise<WireTransaction | null> {
  const answer = await rpc
    .getTransaction(
      signature as Signature,
      { commitment: 'confirmed', encoding: 'base64', maxSupportedTransactionVersion: 1 } as never,
    )
    .send({ abortSignal: signal });
  const { transaction } = (answer ?? {}) as { readonly transaction?: readonly [string, string] };
  return transaction === undefined ? null : readWire(transaction[0]);
}

export function isSameMessage(one: WireTransaction, other: WireTransaction): boolean {
  return Buffer.compare(one.messageBytes, other.messageBytes) === 0;
}

/** Transactions as a simulator takes them, and the moment at which their lookup tables were read. */
export interface CompiledWires {
  readonly transactions: readonly CompiledTransaction[];
  /** The chain's own clock, unix seconds. */
  readonly unixTimestamp: bigint;
}

/** Tables that are read at one slot. A transaction that fits has room for some thirty. */
const MOST_TABLES = 99;

/**
 * Looks up what transactions name by table and place.
 * @param isForeign a stranger made them: what they call tables may be anything, of any size, and is asked for before it is read.
 * @throws ACTION__TRANSACTION_EXCEEDED for more tables, or larger ones, than are read for a stranger.
 */
export async function toCompiled(
  chain: Pick<Chain, 'fetchAccountGroups' | 'rpc'>,
  transactions: readonly WireTransaction[],
  { signal, isForeign }: { readonly signal: AbortSignal; readonly isForeign: boolean },
): Promise<CompiledWires> {
  const lookups = transactions.flatMap(({ message }) => lookupsOf(message));
  const tables = [...new Set(lookups.map(({ lookupTableAddress }) => lookupTableAddress))];
  if (tables.length > MOST_TABLES) throw tooManyTables(tables.length);
  if (isForeign) await assertReadable(chain, tables, { signal });
  const [group] = await chain.fetchAccountGroups([tables], { signal });
  if (group === undefined) throw new TypeError('The node answered no group for one that was asked');
  const entries = new Map(
    group.accounts.flatMap((account) =>
      account === null ? [] : [[account.address, readLookupTable(account.data, group.slot)] as const],
    ),
  );
  const compiled = transactions.map((transaction) => compiledOf(transaction, entries));
  return { transactions: compiled, unixTimestamp: group.unixTimestamp };
}

function tooManyTables(count: number): LendingError {
  return new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `The transactions name ${count} lookup tables — allowed: at most ${MOST_TABLES}, all together — pass fewer transactions`,
    context: { lookup_tables: count, max_lookup_tables: MOST_TABLES },
  });
}

function compiledOf(
  { wire, message }: WireTransaction,
  tables: ReadonlyMap<Address, readonly Address[]>,
): CompiledTransaction {
  const { header, staticAccounts } = message;
  const looked = (indexes: 'writableIndexes' | 'readonlyIndexes') =>
    lookupsOf(message).flatMap((lookup) =>
      lookup[indexes].flatMap((index) => tables.get(lookup.lookupTableAddress)?.[index] ?? []),
    );
  const writable = looked('writableIndexes');
  return {
    type: 'SETUP',
    label: '',
    // Nothing here depends on what sets version 0 apart from those before it.
    version: message.version === 1 ? 1 : 0,
    wire,
    accounts: [...staticAccounts, ...writable, ...looked('readonlyIndexes')],
    writableCount:
      staticAccounts.length - header.numReadonlySignerAccounts - header.numReadonlyNonSignerAccounts + writable.length,
    signers: staticAccounts.slice(0, header.numSignerAccounts),
    programs: [],
    computeUnitLimit: 0,
    signatureFeeLamports: 0n,
    priorityFeeLamports: 0n,
  };
}

/**
 * A transaction's own instructions with every address looked up; null where one no longer can be: a lookup table was closed since.
 * @throws CHAIN__RPC_… when no node answers.
 */
export async function instructionsOf(
  chain: Pick<Chain, 'fetchAccountGroups' | 'rpc'>,
  transaction: WireTransaction,
  signal: AbortSignal,
): Promise<readonly Pick<RecordedInstruction, 'programId' | 'accounts' | 'data'>[] | null> {
  const { message } = transaction;
  const lookups = lookupsOf(message);
  const writable = lookups.reduce((sum, { writableIndexes }) => sum + writableIndexes.length, 0);
  const count = lookups.reduce((sum, { readonlyIndexes }) => sum + readonlyIndexes.length, writable);
  const { transactions } =
    count === 0 ? { transactions: [] } : await toCompiled(chain, [transaction], { signal, isForeign: false });
  const looked = transactions[0]?.accounts.slice(message.staticAccounts.length) ?? [];
  if (looked.length !== count) return null;
  const loadedAddresses = { writable: looked.slice(0, writable), readonly: looked.slice(writable) };
  return walkInstructions({ compiledMessage: message, loadedAddresses }).map(
    ({ programAddress, accounts = [], data = [] }) => ({
      programId: programAddress,
      accounts: accounts.map((account) => account.address),
      data: new Uint8Array(data),
    }),
  );
}

function lookupsOf(message: CompiledTransactionMessage) {
  return message.version === 0 ? (message.addressTableLookups ?? []) : [];
}
