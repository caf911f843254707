import type { Address } from '@solana/kit';
import { createAddressWithSeed } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { takeAccounts } from '../account-list.ts';
import { parseSystemInstruction } from './parse-system-instruction.ts';

const SYSTEM_ERRORS = {
  accountAlreadyInUse: 0,
  resultWithNegativeLamports: 1,
  invalidAccountDataLength: 3,
  addressWithSeedMismatch: 5,
} as const;

const MAX_SPACE = 10n * 1024n * 1024n;

/**
 * The System program: creating, funding, sizing and handing over accounts. Durable nonces are left out; their
 * instructions fail with `UnsupportedProgramId` and a log line that says so.
 * @see agave programs/system/src/system_processor.rs
 */
export const systemProgram: Program = { programId: SYSTEM_PROGRAM, handle, units: 150n };

/** An account to be set up, and who has to sign for it: itself, or the base of its seed. */
interface Target {
  readonly account: InstructionAccount;
  readonly base: Address | null;
}

function handle(context: InvokeContext): void {
  const instruction = parseSystemInstruction(context.data);
  switch (instruction.kind) {
    case 'createAccount': {
      const [from, to] = takeAccounts(context.accounts, 2, 'MissingAccount');
      createAccount(context, from, { account: to, base: null }, instruction);
      return;
    }
    case 'createAccountWithSeed': {
      const [from, to] = takeAccounts(context.accounts, 2, 'MissingAccount');
      createAccount(context, from, seededTarget(context, to, instruction), instruction);
      return;
    }
    case 'createAccountAllowPrefund': {
      // Only what adds lamports names who gives them.
      const [to] = takeAccounts(context.accounts, instruction.lamports > 0n ? 2 : 1, 'MissingAccount');
      allocate(context, { account: to, base: null }, instruction.space);
      assign(context, { account: to, base: null }, instruction.owner);
      const from = context.accounts[1];
      if (instruction.lamports > 0n && from !== undefined) transfer(context, from, to, instruction.lamports);
      return;
    }
    case 'assign': {
      const [account] = takeAccounts(context.accounts, 1, 'MissingAccount');
      assign(context, { account, base: null }, instruction.owner);
      return;
    }
    case 'assignWithSeed': {
      const [account] = takeAccounts(context.accounts, 1, 'MissingAccount');
      assign(context, seededTarget(context, account, instruction), instruction.owner);
      return;
    }
    case 'allocate': {
      const [account] = takeAccounts(context.accounts, 1, 'MissingAccount');
      allocate(context, { account, base: null }, instruction.space);
      return;
    }
    case 'allocateWithSeed': {
      const [account] = takeAccounts(context.accounts, 1, 'MissingAccount');
      const target = seededTarget(context, account, instruction);
      allocate(context, target, instruction.space);
      assign(context, target, instruction.owner);
      return;
    }
    case 'transfer': {
      const [from, to] = takeAccounts(context.accounts, 2, 'MissingAccount');
      transfer(context, from, to, instruction.lamports);
      return;
    }
    case 'transferWithSeed':
      transferWithSeed(context, instruction);
      return;
    case 'unsupported':
      context.logRuntime('Durable nonces are not part of this local chain');
      throw new InstructionError('UnsupportedProgramId');
    default:
      instruction satisfies never;
      return;
  }
}

function createAccount(
  context: InvokeContext,
  from: InstructionAccount,
  to: Target,
  wanted: { readonly lamports: bigint; readonly space: bigint; readonly owner: Address },
): void {
  if (to.account.lamports > 0n) {
    context.logRuntime(`Create Account: account ${describe(to)} already in use`);
    throw customError(SYSTEM_ERRORS.accountAlreadyInUse);
  }
  allocate(context, to, wanted.space);
  assign(context, to, wanted.owner);
  transfer(context, from, to.account, wanted.lamports);
}

function allocate(context: InvokeContext, target: Target, space: bigint): void {
  const { account } = target;
  if (!isSignedFor(context, target)) {
    context.logRuntime(`Allocate: 'to' account ${describe(target)} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  if (account.data.length > 0 || account.owner !== SYSTEM_PROGRAM) {
    context.logRuntime(`Allocate: account ${describe(target)} already in use`);
    throw customError(SYSTEM_ERRORS.accountAlreadyInUse);
  }
  if (space > MAX_SPACE) {
    context.logRuntime(`Allocate: requested ${space}, max allowed ${MAX_SPACE}`);
    throw customError(SYSTEM_ERRORS.invalidAccountDataLength);
  }
  account.resize(Number(space));
}

function assign(context: InvokeContext, target: Target, owner: Address): void {
  if (target.account.owner === owner) return;
  if (!isSignedFor(context, target)) {
    context.logRuntime(`Assign: account ${describe(target)} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  target.account.assign(owner);
}

function transfer(context: InvokeContext, from: InstructionAccount, to: InstructionAccount, lamports: bigint): void {
  if (!from.isSigner) {
    context.logRuntime(`Transfer: \`from\` account ${from.address} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  moveLamports(context, from, to, lamports);
}

function transferWithSeed(
  context: InvokeContext,
  { lamports, seed, owner }: { readonly lamports: bigint; readonly seed: Uint8Array; readonly owner: Address },
): void {
  const [from, base, to] = takeAccounts(context.accounts, 3, 'MissingAccount');
  if (!base.isSigner) {
    context.logRuntime(`Transfer: 'from' account ${base.address} must sign`);
    throw new InstructionError('MissingRequiredSignature');
  }
  const derived = createAddressWithSeed(base.address, seed, owner);
  if (derived !== from.address) {
    context.logRuntime(`Transfer: 'from' address ${from.address} does not match derived address ${derived}`);
    throw customError(SYSTEM_ERRORS.addressWithSeedMismatch);
  }
  moveLamports(context, from, to, lamports);
}

function moveLamports(
  context: InvokeContext,
  from: InstructionAccount,
  to: InstructionAccount,
  lamports: bigint,
): void {
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

function seededTarget(
  context: InvokeContext,
  account: InstructionAccount,
  { base, seed, owner }: { readonly base: Address; readonly seed: Uint8Array; readonly owner: Address },
): Target {
  const derived = createAddressWithSeed(base, seed, owner);
  if (derived !== account.address) {
    context.logRuntime(`Create: address ${account.address} does not match derived address ${derived}`);
    throw customError(SYSTEM_ERRORS.addressWithSeedMismatch);
  }
  return { account, base };
}

/** The signer may stand at any position of the instruction. */
function isSignedFor(context: InvokeContext, { account, base }: Target): boolean {
  const signer = base ?? account.address;
  return context.accounts.some((candidate) => candidate.isSigner && candidate.address === signer);
}

function describe({ account, base }: Target): string {
  return `Address { address: ${account.address}, base: ${base === null ? 'None' : `Some(${base})`} }`;
}
