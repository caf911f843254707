import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { hasBytesAt, isU64, readU16, readU64, writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { customError, InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { accountAt, takeAccounts } from '../account-list.ts';
import {
  addExtension,
  assertModelled,
  assertUnpacks,
  type BaseKind,
  carriedExtensions,
  computeAccountLength,
  computeTransferFee,
  EXTENSION,
  findExtension,
  isUnpackable,
  markAccount,
} from './extensions.ts';
import { ACCOUNT, amountOf, isKeyAt, MINT, NATIVE_MINT, STATE, setAmount, TAG_BYTES } from './token-state.ts';

/**
 * The SPL Token program as mainnet runs it, which is the p-token build, as far as builders, actors and lending programs call it.
 * @see solana-program/token pinocchio/program/src/processor
 */
export const tokenProgram: Program = { programId: TOKEN_PROGRAM, handle, units: 150n };

/**
 * Token-2022 with transfer fees, as far as it is called. A mint or account with an extension that would change what these
 * instructions do is refused.
 * @see solana-program/token-2022 program/src/processor.rs
 */
export const token2022Program: Program = { programId: TOKEN_2022_PROGRAM, handle, units: 1_500n };

type Handler = (context: InvokeContext, data: Uint8Array) => void;

/** By first byte of the instruction: what somebody on the local chain sends, and no more. */
const HANDLERS: Readonly<Record<number, readonly [name: string, run: Handler]>> = {
  3: ['Transfer', (context, data) => transfer(context, readU64(data, 0), undefined)],
  4: ['Approve', (context, data) => approve(context, readU64(data, 0))],
  7: ['MintTo', (context, data) => mintTo(context, readU64(data, 0))],
  8: ['Burn', (context, data) => burn(context, readU64(data, 0))],
  9: ['CloseAccount', closeAccount],
  12: ['TransferChecked', (context, data) => transfer(context, readU64(data, 0), data[8])],
  17: ['SyncNative', syncNative],
  18: ['InitializeAccount3', initializeAccount],
  21: ['GetAccountDataSize', getAccountDataSize],
  22: ['InitializeImmutableOwner', initializeImmutableOwner],
};

/** Errors that both programs have a number for, with what they log beside it. */
const TOKEN_ERRORS = {
  notRentExempt: [0, 'Lamport balance below rent-exempt threshold'],
  insufficientFunds: [1, 'insufficient funds'],
  invalidMint: [2, 'Invalid Mint'],
  mintMismatch: [3, 'Account not associated with this Mint'],
  ownerMismatch: [4, 'owner does not match'],
  fixedSupply: [5, 'the total supply of this token is fixed'],
  alreadyInUse: [6, 'account or token already in use'],
  nativeNotSupported: [10, 'Instruction does not support native tokens'],
  nonNativeHasBalance: [11, 'Non-native account can only be closed if its balance is zero'],
  overflow: [14, 'Operation overflowed'],
  accountFrozen: [17, 'Account is frozen'],
  mintDecimalsMismatch: [18, 'decimals different from the Mint decimals'],
  nonNativeNotSupported: [19, 'Instruction does not support non-native tokens'],
  mintRequiredForTransfer: [
    31,
    'Mint required for this account to transfer tokens, use `transfer_checked` or `transfer_checked_with_fee`',
  ],
  accountHasWithheldTransferFees: [
    35,
    'An account can only be closed if its withheld fee balance is zero, harvest fees to the mint and try again',
  ],
} as const;

class TokenError extends InstructionError {
  readonly line: string;

  constructor(name: keyof typeof TOKEN_ERRORS) {
    const [code, line] = TOKEN_ERRORS[name];
    super(customError(code).reason);
    this.line = `Error: ${line}`;
  }
}

function handle(context: InvokeContext): void {
  const tag = context.data[0] ?? -1;
  const entry = HANDLERS[tag];
  if (entry === undefined) {
    context.log(`Instruction ${tag} of a token program is not part of this local chain`);
    throw new InstructionError('UnsupportedProgramId');
  }
  const [name, run] = entry;
  context.log(`Instruction: ${name}`);
  try {
    run(context, context.data.subarray(1));
  } catch (error) {
    if (error instanceof TokenError) context.log(error.line);
    throw error;
  }
}

/** A transfer to the account it comes from, or of nothing, changes nothing. */
function transfer(context: InvokeContext, amount: bigint, decimals: number | undefined): void {
  const { accounts } = context;
  const positions = decimals === undefined ? 3 : 4;
  takeAccounts(accounts, positions);
  const [source, destination] = [accountAt(accounts, 0), accountAt(accounts, positions - 2)];
  const from = load(context, source, 'account');
  // Token-2022 reads the rest of the destination last.
  if (is2022(context)) assertOwned(context, destination);
  else load(context, destination, 'account');
  if (isFrozen(from)) throw new TokenError('accountFrozen');
  if (amountOf(from) < amount) throw new TokenError('insufficientFunds');
  const fee = feeOf(context, from, amount, decimals);
  const to = load(context, destination, 'account');
  if (isFrozen(to)) throw new TokenError('accountFrozen');
  if (!hasBytesAt(to, ACCOUNT.mint, keyAt(from, ACCOUNT.mint))) throw new TokenError('mintMismatch');
  assertOwner(from, accountAt(accounts, positions - 1));
  if (source.isSameAs(destination) || amount === 0n) {
    for (const account of [source, destination]) assertOwned(context, account);
    return;
  }
  setAmount(source.writableData(), amountOf(from) - amount);
  const received = destination.writableData();
  setAmount(received, amountOf(received) + amount - fee);
  const withheld = findExtension(received, EXTENSION.transferFeeAmount);
  if (withheld !== undefined) writeU64(received, withheld.start, readU64(received, withheld.start) + fee);
  if (from[ACCOUNT.isNative] === 0) return;
  source.lamports -= amount;
  destination.lamports += amount;
}

/** What the mint keeps of a transfer. Without decimals the instruction names no mint, which one with a fee or a hook must do. */
function feeOf(context: InvokeContext, from: Uint8Array, amount: bigint, decimals: number | undefined): bigint {
  if (decimals === undefined) {
    const needsMint = [EXTENSION.transferFeeAmount, EXTENSION.transferHookAccount];
    if (needsMint.some((type) => findExtension(from, type))) throw new TokenError('mintRequiredForTransfer');
    return 0n;
  }
  const mint = loadMintOf(context, from, accountAt(context.accounts, 1));
  if (mint[MINT.decimals] !== decimals) throw new TokenError('mintDecimalsMismatch');
  return computeTransferFee(mint, context.slot.epoch, amount);
}

/** Lets another key spend, for a thief whose instruction nobody looked at. What the delegate would do is not modelled. */
function approve(context: InvokeContext, amount: bigint): void {
  const [source, delegate, owner] = takeAccounts(context.accounts, 3);
  const data = load(context, source, 'account');
  if (isFrozen(data)) throw new TokenError('accountFrozen');
  assertOwner(data, owner);
  const written = source.writableData();
  written[ACCOUNT.delegate] = 1;
  written.set(delegate.key, ACCOUNT.delegate + TAG_BYTES);
  writeU64(written, ACCOUNT.delegatedAmount, amount);
}

function mintTo(context: InvokeContext, amount: bigint): void {
  const [mint, destination, authority] = takeAccounts(context.accounts, 3);
  const to = load(context, destination, 'account');
  if (isFrozen(to)) throw new TokenError('accountFrozen');
  if (to[ACCOUNT.isNative] !== 0) throw new TokenError('nativeNotSupported');
  const mintData = loadMintOf(context, to, mint);
  if (mintData[MINT.authority] !== 1) throw new TokenError('fixedSupply');
  assertAuthority(keyAt(mintData, MINT.authority + TAG_BYTES), authority);
  const supply = readU64(mintData, MINT.supply) + amount;
  if (!isU64(supply)) throw new TokenError('overflow');
  writeU64(mint.writableData(), MINT.supply, supply);
  setAmount(destination.writableData(), amountOf(to) + amount);
}

function burn(context: InvokeContext, amount: bigint): void {
  const [source, mint, authority] = takeAccounts(context.accounts, 3);
  const from = load(context, source, 'account');
  const mintData = load(context, mint, 'mint');
  if (isFrozen(from)) throw new TokenError('accountFrozen');
  if (from[ACCOUNT.isNative] !== 0) throw new TokenError('nativeNotSupported');
  if (amountOf(from) < amount) throw new TokenError('insufficientFunds');
  if (!isKeyAt(from, ACCOUNT.mint, mint)) throw new TokenError('mintMismatch');
  assertOwner(from, authority);
  setAmount(source.writableData(), amountOf(from) - amount);
  writeU64(mint.writableData(), MINT.supply, readU64(mintData, MINT.supply) - amount);
}

function closeAccount(context: InvokeContext): void {
  const [source, destination, authority] = takeAccounts(context.accounts, 3);
  const data = load(context, source, 'account');
  if (source.isSameAs(destination)) throw new InstructionError('InvalidAccountData');
  if (data[ACCOUNT.isNative] === 0 && amountOf(data) !== 0n) throw new TokenError('nonNativeHasBalance');
  assertOwner(data, authority);
  const withheld = findExtension(data, EXTENSION.transferFeeAmount);
  if (withheld !== undefined && readU64(data, withheld.start) !== 0n) {
    throw new TokenError('accountHasWithheldTransferFees');
  }
  destination.lamports += source.lamports;
  source.lamports = 0n;
  context.closeAccount(source);
}

/** Counts lamports that were simply sent to a wrapped SOL account as its tokens. */
function syncNative(context: InvokeContext): void {
  const account = accountAt(context.accounts, 0);
  assertOwned(context, account);
  const data = load(context, account, 'account');
  if (data[ACCOUNT.isNative] === 0) throw new TokenError('nonNativeNotSupported');
  writeNative(context, account);
}

/** What a wrapped SOL account holds beyond its rent are its tokens. */
function writeNative(context: InvokeContext, account: InstructionAccount): void {
  const reserve = context.slot.minimumBalance(account.data.length);
  const written = account.writableData();
  written[ACCOUNT.isNative] = 1;
  writeU64(written, ACCOUNT.nativeReserve, reserve);
  setAmount(written, account.lamports - reserve);
}

function initializeAccount(context: InvokeContext, data: Uint8Array): void {
  const [account, mint] = takeAccounts(context.accounts, 2);
  assertUnused(context, account);
  if (account.lamports < context.slot.minimumBalance(account.data.length)) throw new TokenError('notRentExempt');
  const carried = carriedExtensions(loadQueriedMint(context, mint));
  if (computeAccountLength(carried) > account.data.length) throw new InstructionError('InvalidAccountData');
  const written = account.writableData();
  for (const type of carried) addExtension(written, type);
  written.set(mint.key, ACCOUNT.mint);
  written.set(data.subarray(0, 32), ACCOUNT.owner);
  written[ACCOUNT.state] = STATE.initialized;
  markAccount(written);
  if (mint.address === NATIVE_MINT) writeNative(context, account);
}

/** Every account of the token program already keeps its owner; one of Token-2022 says so in an extension. */
function initializeImmutableOwner(context: InvokeContext): void {
  const account = accountAt(context.accounts, 0);
  assertUnused(context, account);
  if (is2022(context)) addExtension(account.writableData(), EXTENSION.immutableOwner);
}

/** Answers how many bytes an account of the mint takes, with the further extensions the instruction names. */
function getAccountDataSize(context: InvokeContext, data: Uint8Array): void {
  const carried = carriedExtensions(loadQueriedMint(context, accountAt(context.accounts, 0)));
  const further = Array.from({ length: data.length / 2 }, (_, index) => readU16(data, 2 * index));
  const answer = new Uint8Array(8);
  writeU64(answer, 0, BigInt(is2022(context) ? computeAccountLength([...carried, ...further]) : ACCOUNT.size));
  context.setReturnData(answer);
}

function is2022({ programId }: InvokeContext): boolean {
  return programId === TOKEN_2022_PROGRAM;
}

function assertOwned({ programId }: InvokeContext, account: InstructionAccount): void {
  if (account.owner !== programId) throw new InstructionError('IncorrectProgramId');
}

/**
 * The bytes of a token account or mint. Token-2022 looks at their owner first; the token program leaves that to the runtime, which lets
 * a program write to its own accounts alone, and takes no other length than its own.
 * @throws InstructionError
 */
function load(context: InvokeContext, account: InstructionAccount, kind: BaseKind): Uint8Array {
  const { data } = account;
  if (is2022(context)) assertOwned(context, account);
  else assertLength(data, kind);
  assertUnpacks(data, kind);
  assertModelled(context, data, kind);
  return data;
}

function assertLength(data: Uint8Array, kind: BaseKind): void {
  const length = kind === 'mint' ? MINT.size : ACCOUNT.size;
  if (data.length !== length) throw new InstructionError('InvalidAccountData');
}

/** The mint of a token account. */
function loadMintOf(context: InvokeContext, tokens: Uint8Array, mint: InstructionAccount): Uint8Array {
  if (is2022(context)) assertOwned(context, mint);
  if (!isKeyAt(tokens, ACCOUNT.mint, mint)) throw new TokenError('mintMismatch');
  return load(context, mint, 'mint');
}

/** A mint that an instruction asks about: any trouble with it is reported as an invalid mint. */
function loadQueriedMint(context: InvokeContext, mint: InstructionAccount): Uint8Array {
  assertOwned(context, mint);
  if (!isUnpackable(mint.data, 'mint')) throw new TokenError('invalidMint');
  return load(context, mint, 'mint');
}

function assertUnused(context: InvokeContext, account: InstructionAccount): void {
  if (is2022(context)) assertOwned(context, account);
  else assertLength(account.data, 'account');
  if (isUnpackable(account.data, 'account')) throw new TokenError('alreadyInUse');
}

function assertOwner(tokens: Uint8Array, authority: InstructionAccount): void {
  assertAuthority(keyAt(tokens, ACCOUNT.owner), authority);
}

/** Checks that the expected owner agreed by its signature. Delegates and multisigs are not part of this chain. */
function assertAuthority(expected: Uint8Array, authority: InstructionAccount): void {
  if (!hasBytesAt(authority.key, 0, expected)) throw new TokenError('ownerMismatch');
  if (!authority.isSigner) throw new InstructionError('MissingRequiredSignature');
}

function isFrozen(tokens: Uint8Array): boolean {
  return tokens[ACCOUNT.state] === STATE.frozen;
}

function keyAt(data: Uint8Array, offset: number): Uint8Array {
  return data.subarray(offset, offset + 32);
}
