import { TOKEN_2022_PROGRAM } from '@lending/programs';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';
import { tokenError, withErrorLog } from '../token/token-error.ts';
import { parseAmount } from './call.ts';
import { EXTENSION } from './extension-type.ts';
import { runFeeInstruction } from './fee-instructions.ts';
import { approve, burn, mintTo, revoke, toggleFrozen } from './holdings.ts';
import { initializeAccount, initializeImmutableOwner, initializeMint, initializeMultisig } from './initialize.ts';
import { closeAccount, syncNative, unwrapLamports, withdrawExcessLamports } from './lamports.ts';
import {
  initializeMintCloseAuthority,
  initializeNonTransferable,
  initializePermanentDelegate,
  initializePointer,
} from './mint-extensions.ts';
import { amountToUiAmount, getAccountDataSize, uiAmountToAmount } from './queries.ts';
import { setAuthority } from './set-authority.ts';
import { transfer } from './transfer.ts';

/**
 * Token-2022 with transfer fees. Other extensions are tolerated where a mint or account has them: the instructions below
 * respect what they ask for, but their own instructions (confidential transfers, metadata, interest, memo and guard
 * switches, reallocation, hooks that name a program) fail with a log line that says so.
 * @see solana-program/token-2022 program/src/processor.rs
 */
export const token2022Program: Program = { programId: TOKEN_2022_PROGRAM, handle, units: 1_500n };

const BATCH = 255;

type Handler = (data: Uint8Array, context: InvokeContext) => void;

/** By first byte of the instruction. `null`: the log names the part of the extension instead. */
const HANDLERS: Readonly<Record<number, readonly [name: string | null, run: Handler]>> = {
  0: ['InitializeMint', (data, context) => initializeMint(data, context, true)],
  1: ['InitializeAccount', (data, context) => initializeAccount(data, context, 'account')],
  2: ['InitializeMultisig', (data, context) => initializeMultisig(data, context, true)],
  3: ['Transfer', (data, context) => transfer(context, { ...parseAmount(data, false), fee: undefined })],
  4: ['Approve', (data, context) => approve(parseAmount(data, false), context)],
  5: ['Revoke', (_, context) => revoke(context)],
  6: ['SetAuthority', setAuthority],
  7: ['MintTo', (data, context) => mintTo(parseAmount(data, false), context)],
  8: ['Burn', (data, context) => burn(parseAmount(data, false), context)],
  9: ['CloseAccount', (_, context) => closeAccount(context)],
  10: ['FreezeAccount', (_, context) => toggleFrozen(context, true)],
  11: ['ThawAccount', (_, context) => toggleFrozen(context, false)],
  12: ['TransferChecked', (data, context) => transfer(context, { ...parseAmount(data, true), fee: undefined })],
  13: ['ApproveChecked', (data, context) => approve(parseAmount(data, true), context)],
  14: ['MintToChecked', (data, context) => mintTo(parseAmount(data, true), context)],
  15: ['BurnChecked', (data, context) => burn(parseAmount(data, true), context)],
  16: ['InitializeAccount2', (data, context) => initializeAccount(data, context, 'dataAndRent')],
  17: ['SyncNative', (_, context) => syncNative(context)],
  18: ['InitializeAccount3', (data, context) => initializeAccount(data, context, 'data')],
  19: ['InitializeMultisig2', (data, context) => initializeMultisig(data, context, false)],
  20: ['InitializeMint2', (data, context) => initializeMint(data, context, false)],
  21: ['GetAccountDataSize', getAccountDataSize],
  22: ['InitializeImmutableOwner', (_, context) => initializeImmutableOwner(context)],
  23: ['AmountToUiAmount', amountToUiAmount],
  24: ['UiAmountToAmount', uiAmountToAmount],
  25: ['InitializeMintCloseAuthority', initializeMintCloseAuthority],
  26: [null, runFeeInstruction],
  32: ['InitializeNonTransferableMint', (_, context) => initializeNonTransferable(context)],
  35: ['InitializePermanentDelegate', initializePermanentDelegate],
  36: [null, (data, context) => initializePointer(data, context, EXTENSION.transferHook)],
  38: ['WithdrawExcessLamports', (_, context) => withdrawExcessLamports(context)],
  39: [null, (data, context) => initializePointer(data, context, EXTENSION.metadataPointer)],
  40: [null, (data, context) => initializePointer(data, context, EXTENSION.groupPointer)],
  41: [null, (data, context) => initializePointer(data, context, EXTENSION.groupMemberPointer)],
  45: ['UnwrapLamports', unwrapLamports],
};

/** Instructions of the real program that the model has not. */
export const UNSUPPORTED_TOKEN_2022_INSTRUCTIONS: ReadonlySet<number> = new Set([
  27,
  28,
  29,
  30,
  31,
  33,
  34,
  37,
  42,
  43,
  44,
  46,
  BATCH,
]);

function handle(context: InvokeContext): void {
  withErrorLog(context, () => {
    const tag = context.data[0] ?? -1;
    if (UNSUPPORTED_TOKEN_2022_INSTRUCTIONS.has(tag)) {
      context.log(`Token-2022 instruction ${tag} is not part of this local chain`);
      throw new InstructionError('UnsupportedProgramId');
    }
    const entry = HANDLERS[tag];
    if (entry === undefined) throw tokenError('invalidInstruction');
    const [name, run] = entry;
    if (name !== null) context.log(`Instruction: ${name}`);
    run(context.data.subarray(1), context);
  });
}
