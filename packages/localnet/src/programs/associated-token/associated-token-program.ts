import { ASSOCIATED_TOKEN_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { readU64, writeU64 } from '#engine/bytes.ts';
import { findProgramAddress, unitsToFind } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { CalledInstruction, InvokeContext, Program } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { takeAccounts } from '../account-list.ts';
import { ACCOUNT, amountOf, isKeyAt, MINT } from '../token/token-state.ts';
import { assertUnpacks, isUnpackable } from '../token-2022/extended-state.ts';
import { EXTENSION } from '../token-2022/extension-type.ts';

/** Its one error number: the account at the address belongs to somebody else. */
const INVALID_OWNER = 0;

/**
 * One token account per wallet and mint, at an address that anyone can derive and create.
 * @see solana-program/associated-token-account program/src/processor.rs
 */
export const associatedTokenProgram: Program = { programId: ASSOCIATED_TOKEN_PROGRAM, handle, units: 4_000n };

function handle(context: InvokeContext): void {
  const { data } = context;
  const tag = data.length === 0 ? 0 : data[0];
  if (data.length > 1 || tag === undefined || tag > 2) throw new InstructionError('InvalidInstructionData');
  context.log(['Create', 'CreateIdempotent', 'RecoverNested'][tag] ?? '');
  if (tag === 2) {
    recoverNested(context);
    return;
  }
  create(context, tag === 1);
  return;
}

function create(context: InvokeContext, isIdempotent: boolean): void {
  const [funder, account, wallet, mint, , tokenProgram] = takeAccounts(context.accounts, 6);
  const seeds = [wallet.key, tokenProgram.key, mint.key];
  const { address: expected, bump } = findProgramAddress(seeds, context.programId);
  context.consume(unitsToFind(bump), 'syscall');
  if (expected !== account.address) {
    context.log('Error: Associated address does not match seed derivation');
    throw new InstructionError('InvalidSeeds');
  }
  if (isIdempotent && account.owner === tokenProgram.address && isUnpackable(account.data, 'account')) {
    assertIsOf(context, account, wallet, mint);
    return;
  }
  if (account.owner !== SYSTEM_PROGRAM) throw new InstructionError('IllegalOwner');
  const space = querySpace(context, mint, tokenProgram);
  fund(context, { funder, account, space, owner: tokenProgram, signer: [...seeds, Uint8Array.of(bump)] });
  context.log('Initialize the associated token account');
  context.invoke(tokenCall(tokenProgram.address, Uint8Array.of(22), [writable(account)]));
  const initialize = Uint8Array.of(18, ...wallet.key);
  context.invoke(tokenCall(tokenProgram.address, initialize, [writable(account), readonly(mint)]));
}

function assertIsOf(
  context: InvokeContext,
  account: InstructionAccount,
  wallet: InstructionAccount,
  mint: InstructionAccount,
): void {
  if (!isKeyAt(account.data, ACCOUNT.owner, wallet)) {
    context.log('Associated token account owner does not match address derivation');
    throw customError(INVALID_OWNER);
  }
  if (!isKeyAt(account.data, ACCOUNT.mint, mint)) throw new InstructionError('InvalidAccountData');
}

/** Asks the token program how many bytes an account of this mint takes. */
function querySpace(context: InvokeContext, mint: InstructionAccount, tokenProgram: InstructionAccount): number {
  const query = Uint8Array.of(21, EXTENSION.immutableOwner, 0);
  context.invoke(tokenCall(tokenProgram.address, query, [readonly(mint)]));
  const answer = context.returnData;
  if (answer?.programId !== tokenProgram.address) throw new InstructionError('IncorrectProgramId');
  if (answer.data.length !== 8) throw new InstructionError('InvalidInstructionData');
  return Number(readU64(answer.data, 0));
}

interface Funding {
  readonly funder: InstructionAccount;
  readonly account: InstructionAccount;
  readonly space: number;
  readonly owner: InstructionAccount;
  readonly signer: readonly Uint8Array[];
}

/** Creates the account; one that somebody already sent lamports to is topped up instead. */
function fund(context: InvokeContext, { funder, account, space, owner, signer }: Funding): void {
  const minimum = context.slot.minimumBalance(space);
  const needed = minimum > 1n ? minimum : 1n;
  if (account.lamports === 0n) {
    const data = new Uint8Array(52);
    writeU64(data, 4, needed);
    writeU64(data, 12, BigInt(space));
    data.set(owner.key, 20);
    context.invoke(systemCall(data, [signing(funder), signing(account)]), [signer]);
    return;
  }
  if (account.lamports < needed) {
    const data = new Uint8Array(12);
    data[0] = 2;
    writeU64(data, 4, needed - account.lamports);
    context.invoke(systemCall(data, [signing(funder), writable(account)]));
  }
  const allocate = new Uint8Array(12);
  allocate[0] = 8;
  writeU64(allocate, 4, BigInt(space));
  context.invoke(systemCall(allocate, [signing(account)]), [signer]);
  const assign = new Uint8Array(36);
  assign[0] = 1;
  assign.set(owner.key, 4);
  context.invoke(systemCall(assign, [signing(account)]), [signer]);
}

/** Gives back tokens that ended in an associated account of an associated account. */
function recoverNested(context: InvokeContext): void {
  const [nested, nestedMint, destination, owned, ownedMint, wallet, tokenProgram] = takeAccounts(context.accounts, 7);
  const derive = (owner: InstructionAccount, mint: InstructionAccount) =>
    findProgramAddress([owner.key, tokenProgram.key, mint.key], context.programId);
  const { address: ownedAddress, bump } = derive(wallet, ownedMint);
  assertDerived(context, ownedAddress, owned, 'Owner');
  assertDerived(context, derive(owned, nestedMint).address, nested, 'Nested');
  assertDerived(context, derive(wallet, nestedMint).address, destination, 'Destination');
  if (!wallet.isSigner) {
    context.log('Wallet of the owner associated token account must sign');
    throw new InstructionError('MissingRequiredSignature');
  }
  for (const account of [ownedMint, owned]) assertTokenOwned(account, tokenProgram);
  assertUnpacks(owned.data, 'account');
  if (!isKeyAt(owned.data, ACCOUNT.owner, wallet)) throw customError(INVALID_OWNER);
  assertTokenOwned(nested, tokenProgram);
  assertUnpacks(nested.data, 'account');
  if (!isKeyAt(nested.data, ACCOUNT.owner, owned)) throw customError(INVALID_OWNER);
  assertTokenOwned(nestedMint, tokenProgram);
  assertUnpacks(nestedMint.data, 'mint');

  const signer = [wallet.key, tokenProgram.key, ownedMint.key, Uint8Array.of(bump)];
  const transfer = new Uint8Array(10);
  transfer[0] = 12;
  writeU64(transfer, 1, amountOf(nested.data));
  transfer[9] = nestedMint.data[MINT.decimals] ?? 0;
  const authority = { address: owned.address, isSigner: true, isWritable: false };
  const moved = [writable(nested), readonly(nestedMint), writable(destination), authority];
  context.invoke(tokenCall(tokenProgram.address, transfer, moved), [signer]);
  const closed = [writable(nested), writable(wallet), authority];
  context.invoke(tokenCall(tokenProgram.address, Uint8Array.of(9), closed), [signer]);
}

function assertDerived(context: InvokeContext, expected: Address, account: InstructionAccount, name: string): void {
  if (expected === account.address) return;
  context.log(`Error: ${name} associated address does not match seed derivation`);
  throw new InstructionError('InvalidSeeds');
}

function assertTokenOwned(account: InstructionAccount, tokenProgram: InstructionAccount): void {
  if (account.owner !== tokenProgram.address) throw new InstructionError('IllegalOwner');
}

type Meta = CalledInstruction['accounts'][number];

function signing({ address: key }: InstructionAccount): Meta {
  return { address: key, isSigner: true, isWritable: true };
}

function writable({ address: key }: InstructionAccount): Meta {
  return { address: key, isSigner: false, isWritable: true };
}

function readonly({ address: key }: InstructionAccount): Meta {
  return { address: key, isSigner: false, isWritable: false };
}

function systemCall(data: Uint8Array, accounts: readonly Meta[]): CalledInstruction {
  return { programId: SYSTEM_PROGRAM, accounts, data };
}

/** @throws InstructionError when the program named is neither token program. */
function tokenCall(programId: Address, data: Uint8Array, accounts: readonly Meta[]): CalledInstruction {
  if (programId !== TOKEN_PROGRAM && programId !== TOKEN_2022_PROGRAM) throw new InstructionError('IncorrectProgramId');
  return { programId, accounts, data };
}
