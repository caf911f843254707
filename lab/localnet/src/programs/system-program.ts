import { readAddress } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU32, readU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { takeAccounts } from './account-list.ts';

/** First four bytes of the instructions that somebody on the local chain sends. */
export const SYSTEM_INSTRUCTION = { createAccount: 0, assign: 1, transfer: 2, allocate: 8 } as const;

const SYSTEM_ERRORS = { accountAlreadyInUse: 0, resultWithNegativeLamports: 1, invalidAccountDataLength: 3 } as const;

const MAX_SPACE = 10n * 1024n * 1024n;

/**
 * The System program, as far as it is called: creating, funding, sizing and handing over accounts that sign for themselves.
 * @see agave programs/system/src/system_processor.rs
 */
export const systemProgram: Program = { programId: SYSTEM_PROGRAM, handle, units: 150n };

/** Bincode: a tag and little-endian fields; bytes after them are ignored. */
function handle(context: InvokeContext): void {
  const { data, accounts } = context;
  if (data.length < 4) throw new InstructionError('InvalidInstructionData');
  const tag = readU32(data, 0);
  switch (tag) {
    case SYSTEM_INSTRUCTION.createAccount: {
      const [from, to] = takeAccounts(accounts, 2, 'MissingAccount');
      createAccount(context, from, to);
      return;
    }
    case SYSTEM_INSTRUCTION.assign:
      assign(context, takeAccounts(accounts, 1, 'MissingAccount')[0], readAddress(data, 4));
      return;
    case SYSTEM_INSTRUCTION.transfer: {
      const [from, to] = takeAccounts(accounts, 2, 'MissingAccount');
      transfer(context, from, to, readU64(data, 4));
      return;
    }
    case SYSTEM_INSTRUCTION.allocate:
      allocate(context, takeAccounts(accounts, 1, 'MissingAccount')[0], readU64(data, 4));
      return;
    default:
      context.logRuntime(`Instruction ${tag} of the System program is not part of this local chain`);
      throw new InstructionError('UnsupportedProgramId');
  }
}

function createAccount(context: InvokeContext, from: InstructionAccount, to: InstructionAccount): void {
  if (to.lamports > 0n) {
    context.logRuntime(`Create Account: account ${describe(to.address)} already in use`);
    throw customError(SYSTEM_ERRORS.accountAlreadyInUse);
  }
  allocate(context, to, readU64(context.data, 12));
  assign(context, to, readAddress(context.data, 20));
  transfer(context, from, to, readU64(context.data, 4));
}

function allocate(context: InvokeContext, account: InstructionAccount, space: bigint): void {
  if (!isSigner(context, account)) {
    context.logRuntime(`Allocate: 'to' account ${describe(account.address)} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  if (account.data.length > 0 || account.owner !== SYSTEM_PROGRAM) {
    context.logRuntime(`Allocate: account ${describe(account.address)} already in use`);
    throw customError(SYSTEM_ERRORS.accountAlreadyInUse);
  }
  if (space > MAX_SPACE) {
    context.logRuntime(`Allocate: requested ${space}, max allowed ${MAX_SPACE}`);
    throw customError(SYSTEM_ERRORS.invalidAccountDataLength);
  }
  account.resize(Number(space));
}

function assign(context: InvokeContext, account: InstructionAccount, owner: Address): void {
  if (account.owner === owner) return;
  if (!isSigner(context, account)) {
    context.logRuntime(`Assign: account ${describe(account.address)} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  account.assign(owner);
}

function transfer(context: InvokeContext, from: InstructionAccount, to: InstructionAccount, lamports: bigint): void {
  if (!from.isSigner) {
    context.logRuntime(`Transfer: \`from\` account ${from.address} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  if (from.data.length > 0) {
    context.logRuntime('Transfer: `from` must not carry data');
    throw new InstructionError('InvalidArgument');
  }
  if (lamports > from.lamports) {
    context.logRuntime(`Transfer: insufficient lamports ${from.lamports}, need ${lamports}`);
    throw customError(SYSTEM_ERRORS.resultWithNegativeLamports);
  }
  from.setLamports(from.lamports - lamports);
  to.setLamports(to.lamports + lamports);
}

/** The signature may stand at any position of the instruction. */
function isSigner({ accounts }: InvokeContext, { address }: InstructionAccount): boolean {
  return accounts.some((candidate) => candidate.isSigner && candidate.address === address);
}

function describe(address: Address): string {
  return `Address { address: ${address}, base: None }`;
}
