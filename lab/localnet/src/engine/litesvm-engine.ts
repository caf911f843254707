import { describeError, LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';
import { type ProgramFile, readElfFolder } from './elf-folder.ts';
import type {
  AccountSource,
  Engine,
  ExecuteOptions,
  ExecutionResult,
  SlotContext,
  TransactionError,
} from './engine.ts';
import { assertCanPay, feeWrite } from './fee-payer.ts';
import { IncomingTransaction } from './incoming-transaction.ts';
import { TransactionFailure } from './instruction-error.ts';
import { type MachineOutcome, readOutcome } from './litesvm-outcome.ts';
import { type LiteSvmModule, LiteSvmState } from './litesvm-state.ts';
import type { WireMessage } from './wire-transaction.ts';

export interface LiteSvmEngineOptions {
  /** Folder of program code: `<program id>.so`, or a known name such as `marginfi.so`. */
  readonly folder?: string;
  /** Program code that lies elsewhere. */
  readonly programs?: readonly ProgramFile[];
}

/** Errors that end a transaction before it runs but after its fee is taken; the others leave no trace. */
const CHARGED: ReadonlySet<unknown> = new Set([
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]);

/**
 * The engine that runs real programs: LiteSVM with the code found in a folder, besides the System, Token, Token-2022,
 * associated token and memo programs it brings itself. A program without code cannot be called.
 *
 * LiteSVM comes as native code and is loaded only here, so that a process which never asks for it does not carry it. Its memory is
 * freed with the thread that made the engine, not with the engine: make one and keep it.
 * @throws LOCALNET__PROGRAM_INVALID naming the file that is no program.
 */
export async function createLiteSvmEngine({ folder, programs = [] }: LiteSvmEngineOptions = {}): Promise<Engine> {
  const module = await import('litesvm');
  const state = new LiteSvmState(module);
  for (const program of [...(folder === undefined ? [] : readElfFolder(folder)), ...programs]) load(state, program);
  return {
    execute: (wire, accounts, context, options) => execute({ module, state }, wire, accounts, context, options),
  };
}

interface Machine {
  readonly module: LiteSvmModule;
  readonly state: LiteSvmState;
}

function load(state: LiteSvmState, { programId, path, elf }: ProgramFile): void {
  try {
    state.addProgram(programId, elf);
  } catch (cause) {
    throw new LendingError('LOCALNET__PROGRAM_INVALID', { message: `${path}: ${describeError(cause)}`, cause });
  }
}

/** How far a transaction came. Before its payer was charged, nothing is known of its accounts. */
interface Ending {
  readonly error: TransactionError | null;
  readonly isRecorded: boolean;
  readonly isCharged: boolean;
  readonly outcome?: MachineOutcome;
}

function execute(
  { module, state }: Machine,
  wire: Uint8Array,
  accounts: AccountSource,
  context: SlotContext,
  options: ExecuteOptions,
): ExecutionResult {
  const incoming = new IncomingTransaction();
  let isCharged = false;
  try {
    const { message } = incoming.read(wire, accounts, context, options);
    assertPayer(incoming, accounts, context);
    isCharged = true;
    state.setContext(context);
    state.load(
      [...incoming.accountKeys, ...message.addressTableLookups.map(({ lookupTableAddress }) => lookupTableAddress)],
      accounts,
    );
    assertPrograms(message, state, accounts);
    const outcome = readOutcome(module, state.simulate(wire));
    const { error } = outcome;
    const isRecorded = typeof error !== 'string' || CHARGED.has(error);
    return resultOf(state, accounts, incoming, { error, isRecorded, isCharged, outcome });
  } catch (error) {
    if (!(error instanceof TransactionFailure)) throw error;
    const { error: reason, isRecorded } = error;
    return resultOf(state, accounts, incoming, { error: reason, isRecorded, isCharged });
  }
}

function assertPayer({ accountKeys, fee }: IncomingTransaction, accounts: AccountSource, context: SlotContext): void {
  const [payer] = accountKeys;
  if (payer === undefined) throw new TransactionFailure('SanitizeFailure');
  assertCanPay(payer, accounts.get(payer), fee, context);
}

/** LiteSVM tells a program that is missing not apart from an account that is none; nodes do. */
function assertPrograms(
  { instructions, staticAccounts }: WireMessage,
  state: LiteSvmState,
  accounts: AccountSource,
): void {
  const isMissing = instructions.some(({ programIdIndex }) => {
    const program = staticAccounts[programIdIndex];
    return program === undefined || !state.exists(program, accounts);
  });
  if (isMissing) throw new TransactionFailure('ProgramAccountNotFound', true);
}

function resultOf(
  state: LiteSvmState,
  source: AccountSource,
  { accountKeys, loadedAddresses, fee }: IncomingTransaction,
  { error, isRecorded, isCharged, outcome }: Ending,
): ExecutionResult {
  const preBalances = isCharged ? accountKeys.map((address) => state.balanceOf(address, source)) : [];
  const writes =
    error === null && outcome !== undefined
      ? state.changes(accountKeys, outcome.accounts, source)
      : writesOfFailure(accountKeys[0], source, isCharged && isRecorded ? fee : 0n);
  return {
    error,
    isRecorded,
    logs: outcome?.logs ?? [],
    unitsConsumed: outcome?.unitsConsumed ?? 0n,
    fee,
    accountKeys,
    loadedAddresses,
    innerInstructions: outcome?.innerInstructions ?? [],
    returnData: outcome?.returnData ?? null,
    preBalances,
    postBalances: preBalances.map((balance, index) => {
      const address = accountKeys[index];
      if (address === undefined || !writes.has(address)) return balance;
      return writes.get(address)?.lamports ?? 0n;
    }),
    writes,
  };
}

function writesOfFailure(payer: Address | undefined, source: AccountSource, fee: bigint): ExecutionResult['writes'] {
  const before = payer === undefined ? undefined : source.get(payer);
  return payer === undefined || before === undefined ? new Map() : feeWrite(payer, before, fee);
}
