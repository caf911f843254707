import { ASSOCIATED_TOKEN_PROGRAM } from '@lending/programs';
import { readU64 } from '#engine/bytes.ts';
import { findProgramAddress, unitsToFind } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { isTokenProgram, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { takeAccounts } from './account-list.ts';
import { fundAccount } from './anchor/create-account.ts';
import { EXTENSION, isUnpackable } from './token/extensions.ts';
import { ACCOUNT, isKeyAt } from './token/token-state.ts';

/** Its one error number: the account at the address belongs to another wallet. */
const INVALID_OWNER = 0;

const CREATE_IDEMPOTENT = 1;
/** Instructions of the token program. */
const INITIALIZE_ACCOUNT_3 = 18;
const GET_ACCOUNT_DATA_SIZE = 21;
const INITIALIZE_IMMUTABLE_OWNER = 22;

/**
 * One token account per wallet and mint, at an address that anyone can derive and create. Recovering nested accounts is not modelled.
 * @see solana-program/associated-token-account program/src/processor.rs
 */
export const associatedTokenProgram: Program = { programId: ASSOCIATED_TOKEN_PROGRAM, handle, units: 4_000n };

function handle(context: InvokeContext): void {
  const { data } = context;
  const tag = data[0] ?? 0;
  if (data.length > 1 || tag > CREATE_IDEMPOTENT) {
    context.log(`Instruction ${tag} of the associated token program is not part of this local chain`);
    throw new InstructionError('UnsupportedProgramId');
  }
  context.log(tag === CREATE_IDEMPOTENT ? 'CreateIdempotent' : 'Create');
  create(context, tag === CREATE_IDEMPOTENT);
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
  callToken(context, tokenProgram, Uint8Array.of(GET_ACCOUNT_DATA_SIZE, EXTENSION.immutableOwner, 0), [mint]);
  const space = Number(readU64(context.returnData?.data ?? new Uint8Array(), 0));
  const payer = { name: 'funder', account: funder };
  const created = { name: 'account', account };
  fundAccount(context, created, tokenProgram.address, { payer, space, seeds: [...seeds, Uint8Array.of(bump)] });
  context.log('Initialize the associated token account');
  callToken(context, tokenProgram, Uint8Array.of(INITIALIZE_IMMUTABLE_OWNER), [account]);
  callToken(context, tokenProgram, Uint8Array.of(INITIALIZE_ACCOUNT_3, ...wallet.key), [account, mint]);
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

/** The new account alone is written. @throws InstructionError when the program named is neither token program. */
function callToken(
  context: InvokeContext,
  { address: programId }: InstructionAccount,
  data: Uint8Array,
  accounts: readonly InstructionAccount[],
): void {
  if (!isTokenProgram(programId)) throw new InstructionError('IncorrectProgramId');
  const metas = accounts.map(({ address }) => ({
    address,
    isSigner: false,
    isWritable: address === context.accounts[1]?.address,
  }));
  context.invoke({ programId, accounts: metas, data });
}
