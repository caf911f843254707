import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TransactionTrace } from '@lending/venues';
import {
  type Address,
  type CompiledTransactionMessage,
  getAccountMetasFromCompiledTransactionMessage,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  isSignerRole,
  walkInstructions,
} from '@solana/kit';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A recorded transaction that has a message, with what another decoder made of it. */
export interface RecordedTransaction {
  readonly fixture: string;
  readonly message: CompiledTransactionMessage;
  readonly trace: TransactionTrace;
  readonly expected: RecordedExpectation;
}

export interface RecordedExpectation {
  readonly feePayer: string;
  readonly instructions: readonly {
    readonly index: number;
    readonly program: string | null;
    readonly programId: string;
    readonly name?: string;
    readonly dataHex?: string;
    readonly args?: Readonly<Record<string, unknown>>;
    readonly accounts?: readonly { readonly pubkey: string }[];
  }[];
  readonly events?: readonly { readonly name: string; readonly data: Readonly<Record<string, unknown>> }[];
}

interface RecordedFile {
  readonly raw: readonly string[] | null;
  readonly transaction: { readonly signatures: readonly string[] } | null;
  readonly meta: { readonly err: unknown; readonly logMessages: readonly string[] } | null;
}

/** What a lookup table's account is called here: the sources did not record the tables. */
export function lookedUp(place: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(200 + place));
}

/** Every recorded transaction with a message, in the order of their names; none where FIXTURES_DIR is missing. */
export function recordedTransactions(fixturesDir = '../shared/fixtures'): readonly RecordedTransaction[] {
  const folder = resolve(ROOT, fixturesDir, 'transactions');
  if (!existsSync(folder)) return [];
  const fixtures = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'));
  return fixtures.sort().flatMap((fixture) => {
    const file = readJson<RecordedFile>(folder, fixture);
    const [raw] = file.raw ?? [];
    if (raw === undefined || !file.transaction) return [];
    const bytes = Uint8Array.from(Buffer.from(raw, 'base64'));
    const isSigned = file.transaction.signatures.length > 0;
    const message = getCompiledTransactionMessageDecoder().decode(
      isSigned ? getTransactionDecoder().decode(bytes).messageBytes : bytes,
    );
    const expected = readJson<RecordedExpectation>(folder, fixture.replace('.json', '.expected.json'));
    return [{ fixture, message, expected, trace: traceOf(fixture, message, file.meta) }];
  });
}

/** A message as the decoder of activity is handed it; what a node adds afterwards is only there as far as it was recorded. */
export function traceOf(
  signature: string,
  message: CompiledTransactionMessage,
  meta: RecordedFile['meta'] = null,
): TransactionTrace {
  const loadedAddresses = placeholdersOf(message);
  const accounts = getAccountMetasFromCompiledTransactionMessage(message, loadedAddresses);
  const signers = accounts.filter(({ role }) => isSignerRole(role)).map(({ address }) => address);
  const [feePayer] = signers;
  if (feePayer === undefined) throw new Error(`${signature} has no fee payer`);
  const own = walkInstructions({ compiledMessage: message, loadedAddresses });
  return {
    signature,
    isFailed: meta !== null && meta.err !== null,
    instructions: own.map((instruction, instructionIndex) => ({
      instructionIndex,
      innerIndex: null,
      depth: 1,
      programId: instruction.programAddress,
      accounts: (instruction.accounts ?? []).map(({ address }) => address),
      data: new Uint8Array(instruction.data ?? []),
    })),
    logs: meta?.logMessages ?? null,
    feePayer,
    signers,
    feeLamports: 0n,
    tokenBalances: [],
  };
}

function placeholdersOf(message: CompiledTransactionMessage) {
  const lookups = ('addressTableLookups' in message ? message.addressTableLookups : undefined) ?? [];
  const writable = lookups.flatMap(({ writableIndexes }) => writableIndexes);
  const readonly = lookups.flatMap(({ readonlyIndexes }) => readonlyIndexes);
  return {
    writable: writable.map((_index, place) => lookedUp(place)),
    readonly: readonly.map((_index, place) => lookedUp(writable.length + place)),
  };
}

function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as T;
}
