import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  decodeArguments,
  type InstructionLayout,
  isInstructionOf,
  juplendEarnDeposit,
  MARGINFI_PROGRAM,
  marginfiInstructionName,
  refreshSolendObligation,
  refreshSolendReserve,
} from '@lending/programs';
import { decodeActivity, decodeEvents, type TransactionTrace } from '@lending/venues';
import {
  type Address,
  appendTransactionMessageInstructions,
  type CompiledTransactionMessage,
  compileTransactionMessage,
  createTransactionMessage,
  getAccountMetasFromCompiledTransactionMessage,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type Instruction,
  isSignerRole,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  walkInstructions,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { FIXTURES, hasFixtures } from '../config.ts';

/** A recorded transaction that has a message, with what another decoder made of it. */
interface RecordedTransaction {
  readonly fixture: string;
  readonly message: CompiledTransactionMessage;
  readonly trace: TransactionTrace;
  readonly expected: RecordedExpectation;
}

interface RecordedExpectation {
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
function lookedUp(place: number): Address {
  return getAddressDecoder().decode(new Uint8Array(32).fill(200 + place));
}

/** Every recorded transaction with a message, in the order of their names; none where FIXTURES_DIR is missing. */
function recordedTransactions(): readonly RecordedTransaction[] {
  const folder = resolve(FIXTURES, 'transactions');
  if (!hasFixtures) return [];
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
function traceOf(
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

const DEVNET = 'A7vUDErNPCTt9qrB6SSM4F6GkxzUe9d8P3cXSmRg4eY4' as Address;
/** What `npm run smoke -- --record` wrote names no instruction and no event: those are its own to find. */
const { contact = [], all = [] } = Object.groupBy(recordedTransactions(), ({ fixture }) =>
  fixture.startsWith('first-contact-') ? 'contact' : 'all',
);
const instructions = all.flatMap(({ fixture, expected, trace }) =>
  expected.instructions.map((recorded) => ({ fixture, recorded, ours: trace.instructions[recorded.index] })),
);
const isLending = (program: string | null) => program?.startsWith('marginfi') === true;

/** The recorder's word for an account of a lookup table, and ours. */
const resolved = (pubkey: string) => {
  const place = /^lookup\[(\d+)\]$/.exec(pubkey)?.[1];
  return place === undefined ? pubkey : lookedUp(Number(place));
};

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (char) => `_${char.toLowerCase()}`);
}

function recordingOf(fixture: string): RecordedTransaction {
  const found = all.find((each) => each.fixture === fixture);
  if (found === undefined) throw new Error(`${fixture} is not recorded`);
  return found;
}

describe.skipIf(all.length === 0)('every recorded transaction (FIXTURES_DIR)', () => {
  it('is read', () => {
    expect(all.length).toBe(19);
    expect(all.map(({ message }) => message.version).filter((version) => version === 0)).toHaveLength(4);
    expect(instructions.filter(({ recorded }) => isLending(recorded.program))).toHaveLength(25);
  });

  it.each(instructions)('has the program, accounts and bytes of $recorded.name in $fixture', ({ recorded, ours }) => {
    expect(ours?.programId).toBe(recorded.programId);
    if (recorded.accounts !== undefined) {
      expect(ours?.accounts).toEqual(recorded.accounts.map(({ pubkey }) => resolved(pubkey)));
    }
    if (recorded.dataHex !== undefined) expect(Buffer.from(ours?.data ?? []).toString('hex')).toBe(recorded.dataHex);
  });

  it.each(instructions.filter(({ recorded }) => isLending(recorded.program)))(
    'has an instruction of the name $recorded.name in $fixture',
    ({ recorded, ours }) => {
      expect(marginfiInstructionName(ours?.data ?? new Uint8Array())).toBe(snakeCase(recorded.name ?? ''));
    },
  );

  it.each(all)('$fixture tells its recorded events', ({ trace, expected }) => {
    const programs = new Set(
      expected.instructions.filter(({ program }) => isLending(program)).map((each) => each.programId),
    );
    const events = [...programs].flatMap((program) => decodeEvents(trace.logs ?? [], program).events);
    expect(events.length).toBe(expected.events?.length ?? 0);
  });

  it.each(all.filter(({ fixture }) => !fixture.includes('withdraw')))(
    '$fixture is no activity',
    ({ trace, expected }) => {
      for (const { programId } of expected.instructions) {
        const { activities, accounts, unknown } = decodeActivity(trace, programId as Address);
        expect({ activities, accounts }).toEqual({ activities: [], accounts: [] });
        if (expected.instructions.some((each) => each.programId === programId && isLending(each.program)))
          expect(unknown).toBe(0);
      }
    },
  );
});

describe.skipIf(contact.length === 0)('transactions that a first contact recorded (FIXTURES_DIR of a record)', () => {
  it.each(contact)('$fixture is read, and nothing of the lending program in it is unknown', ({ trace, expected }) => {
    expect(expected.instructions.length).toBeGreaterThan(0);
    for (const { index, programId, dataHex } of expected.instructions) {
      expect(trace.instructions[index]?.programId).toBe(programId);
      expect(Buffer.from(trace.instructions[index]?.data ?? []).toString('hex')).toBe(dataHex);
      if (programId === MARGINFI_PROGRAM) expect(decodeActivity(trace, MARGINFI_PROGRAM).unknown).toBe(0);
    }
  });
});

describe.skipIf(all.length === 0)('instructions of venues that were recorded (FIXTURES_DIR)', () => {
  const named: readonly (readonly [name: string, layout: Pick<InstructionLayout, 'discriminator'>])[] = [
    ['deposit', juplendEarnDeposit],
    ['RefreshReserve', refreshSolendReserve],
    ['RefreshObligation', refreshSolendObligation],
  ];
  const ofVenues = instructions.filter(({ recorded }) => recorded.program !== null && !isLending(recorded.program));

  it('are laid out, but for a liquidation at Save', () => {
    const layouts = ofVenues.map(({ ours }) => named.find(([, layout]) => isInstructionOf(layout, ours?.data ?? [])));
    const names = layouts.map((found) => found?.[0] ?? null);
    expect(names).toEqual(ofVenues.map(({ recorded: { name } }) => (name?.startsWith('Liquidate') ? null : name)));
  });

  it('have the recorded arguments', () => {
    const [deposit] = ofVenues.filter(({ recorded }) => recorded.name === 'deposit');
    const args = decodeArguments(juplendEarnDeposit, deposit?.ours?.data ?? new Uint8Array());
    expect(args).toEqual({ assets: BigInt(deposit?.recorded.args?.assets as string) });
  });
});

describe.skipIf(all.length === 0)('the recorded withdrawal on devnet (FIXTURES_DIR)', () => {
  const expected = {
    kind: 'withdraw',
    account: 'H25uoQWdrLYQX2F3ec6p4fdr4nxkrYojns3AdtgYPvsM',
    authority: 'PuSj9m6qZy1iE4ecKQbi2pfD4iqw12BExHZdA2cNW72',
    actor: 'PuSj9m6qZy1iE4ecKQbi2pfD4iqw12BExHZdA2cNW72',
    group: '52NC7T3NTPFFwoxJDFk9mbKcA7675DJ39H1iPNz5RjSV',
    legs: [
      {
        bank: 'GhV6ZftLXv3o38CHMhX6nu8GkxS3kvrHSSCVpGFTysUC',
        mint: 'F9jRT1xL7PCRepBuey5cQG5vWHFSbnvdWxJWKqtzMDsd',
        action: 'withdraw',
        amountBase: 1_000_000n,
        shares: null,
        closesSide: true,
      },
    ],
  };

  it('is the one that is activity', () => {
    const { trace } = recordingOf('marginfi-devnet-withdraw.json');
    expect(decodeActivity(trace, DEVNET)).toMatchObject({
      activities: [expected],
      accounts: [expected.account],
      unknown: 0,
    });
  });

  it.each(['legacy', 0, 1] as const)('is the same in a transaction of version %s', (version) => {
    const { trace, message } = recordingOf('marginfi-devnet-withdraw.json');
    const again = getCompiledTransactionMessageDecoder().decode(rewritten(message, version));
    expect(again.version).toBe(version);
    const rebuilt = { ...traceOf(trace.signature, again), logs: trace.logs };
    expect(rebuilt.instructions).toEqual(trace.instructions);
    expect(decodeActivity(rebuilt, DEVNET)).toEqual(decodeActivity(trace, DEVNET));
  });
});

/** The same instructions as the bytes of another version have them. */
function rewritten(message: RecordedTransaction['message'], version: 'legacy' | 0 | 1): Uint8Array {
  const own: Instruction[] = walkInstructions({ compiledMessage: message });
  const compiled = pipe(
    createTransactionMessage({ version }),
    (built) => setTransactionMessageFeePayer(message.staticAccounts[0] as Address, built),
    (built) => {
      const lifetime = { blockhash: '11111111111111111111111111111111', lastValidBlockHeight: 0n } as never;
      return setTransactionMessageLifetimeUsingBlockhash(lifetime, built);
    },
    (built) => appendTransactionMessageInstructions(own, built),
    (built) => compileTransactionMessage(built),
  );
  return Uint8Array.from(getCompiledTransactionMessageEncoder().encode(compiled));
}
