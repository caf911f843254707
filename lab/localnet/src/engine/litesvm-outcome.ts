import { type Address, getAddressDecoder } from '@solana/kit';
import type { FailedTransactionMetadata, SimulatedTransactionInfo, TransactionMetadata } from 'litesvm';
import type { AccountState, ExecutionResult, TransactionError } from './engine.ts';
import type { LiteSvmModule } from './litesvm-state.ts';

/** What LiteSVM says of a transaction it ran, in the engine's own terms. */
export interface MachineOutcome
  extends Pick<ExecutionResult, 'innerInstructions' | 'logs' | 'returnData' | 'unitsConsumed'> {
  readonly error: TransactionError | null;
  /** Every account it wrote to or might have; those that are gone have no lamports. */
  readonly accounts: ReadonlyMap<Address, AccountState>;
}

const addressDecoder = getAddressDecoder();

export function readOutcome(
  { FailedTransactionMetadata }: LiteSvmModule,
  outcome: FailedTransactionMetadata | SimulatedTransactionInfo,
): MachineOutcome {
  if (outcome instanceof FailedTransactionMetadata) {
    return { ...readTrace(outcome.meta()), error: toRpcError(outcome), accounts: new Map() };
  }
  const accounts = outcome.postAccounts().map(({ address, lamports, programAddress, data, executable }) => {
    const state = { lamports: BigInt(lamports), owner: programAddress, data: new Uint8Array(data), executable };
    return [address, state] as const;
  });
  return { ...readTrace(outcome.meta()), error: null, accounts: new Map(accounts) };
}

function readTrace(meta: TransactionMetadata): Omit<MachineOutcome, 'accounts' | 'error'> {
  return {
    logs: meta.logs(),
    unitsConsumed: meta.computeUnitsConsumed(),
    innerInstructions: meta
      .innerInstructions()
      .map((list, index) => ({ index, instructions: list.map(readInner) }))
      .filter(({ instructions }) => instructions.length > 0),
    returnData: readReturned(meta.returnData()),
  };
}

type Inner = ReturnType<TransactionMetadata['innerInstructions']>[number][number];

function readInner(inner: Inner): ExecutionResult['innerInstructions'][number]['instructions'][number] {
  const instruction = inner.instruction();
  return {
    programIdIndex: instruction.programIdIndex(),
    accounts: [...instruction.accounts()],
    data: new Uint8Array(instruction.data()),
    stackHeight: inner.stackHeight(),
  };
}

/** A program that returned nothing is not told apart from one that returned an empty answer; nodes report neither. */
function readReturned(returned: ReturnType<TransactionMetadata['returnData']>): ExecutionResult['returnData'] {
  const data = new Uint8Array(returned.data());
  return data.length === 0 ? null : { programId: addressDecoder.decode(returned.programId()), data };
}

/** LiteSVM hands out errors as numbers of its own, but prints their names, which are those that RPC nodes use. */
function toRpcError(failure: FailedTransactionMetadata): TransactionError {
  const [, printed = ''] = /err: (.*?), meta: /.exec(failure.toString()) ?? [];
  const [, index, reason = '', detail] = /^InstructionError\((\d+), (\w+)(?:\((.*)\))?\)$/.exec(printed) ?? [];
  if (index !== undefined) {
    return { InstructionError: [Number(index), reason === 'Custom' ? { Custom: Number(detail) } : reason] };
  }
  const [, name = '', place, account] = /^(\w+)(?:\((\d+)\)| \{ account_index: (\d+) \})$/.exec(printed) ?? [];
  if (place !== undefined) return { [name]: Number(place) };
  return account === undefined ? printed : { [name]: { account_index: Number(account) } };
}
