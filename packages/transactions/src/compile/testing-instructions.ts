import { AccountRole, type Address, getAddressDecoder, type Instruction } from '@solana/kit';
import type { ActionPlan } from '#plan/action-plan.ts';
import type { MessageOptions } from './transaction-draft.ts';

const decoder = getAddressDecoder();

/** The same number gives the same address. */
export function addressOf(number: number): Address {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, number + 1);
  return decoder.decode(bytes);
}

export const PAYER = addressOf(1_000);
export const PROGRAM = addressOf(2_000);
export const ANY_BLOCKHASH = { value: addressOf(3_000), lastValidBlockHeight: 150n };
export const OPTIONS: MessageOptions = {
  payer: PAYER,
  version: 0,
  microLamportsPerUnit: 1_000n,
  lookupTables: {},
};

export interface InstructionShape {
  /** Numbers of its accounts, all writable. */
  readonly accounts?: readonly number[];
  readonly bytes?: number;
  readonly program?: Address;
}

export function instructionOf({ accounts = [], bytes = 8, program = PROGRAM }: InstructionShape): Instruction {
  return {
    programAddress: program,
    accounts: accounts.map((number) => ({ address: addressOf(number), role: AccountRole.WRITABLE })),
    data: new Uint8Array(bytes),
  };
}

/** Numbers from..to, the last one left out. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

export function planOf(parts: Partial<ActionPlan>): ActionPlan {
  return {
    type: 'DEPOSIT',
    label: 'Deposit 1 SOL',
    setup: [],
    isSetupBound: false,
    refresh: [],
    action: [],
    pulse: null,
    cleanup: [],
    rent: [],
    watch: [],
    ...parts,
  };
}
