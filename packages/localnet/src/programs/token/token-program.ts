import { TOKEN_PROGRAM } from '@lending/programs';
import type { InvokeContext, Program } from '#engine/program.ts';
import { runBatch } from './batch.ts';
import { approve, burn, mintTo, revoke, setAuthority, toggleFrozen, transfer } from './holdings.ts';
import { initializeAccount, initializeImmutableOwner, initializeMint, initializeMultisig } from './initialize.ts';
import { closeAccount, syncNative, unwrapLamports, withdrawExcessLamports } from './lamports.ts';
import { amountToUiAmount, getAccountDataSize, uiAmountToAmount } from './queries.ts';
import type { TokenCall } from './token-call.ts';
import { tokenError, withErrorLog } from './token-error.ts';

/**
 * The SPL Token program as mainnet runs it: the p-token build, whose checks and leftover bytes differ from the original's
 * in places.
 * @see solana-program/token pinocchio/program/src/processor
 */
export const tokenProgram: Program = { programId: TOKEN_PROGRAM, handle, units: 150n };

const BATCH = 255;

type Handler = (call: TokenCall, context: InvokeContext) => void;

/** By first byte of the instruction. */
const HANDLERS: Readonly<Record<number, readonly [name: string, run: Handler]>> = {
  0: ['InitializeMint', (call, context) => initializeMint(call, context, true)],
  1: ['InitializeAccount', (call, context) => initializeAccount(call, context, 'account')],
  2: ['InitializeMultisig', (call, context) => initializeMultisig(call, context, true)],
  3: ['Transfer', (call) => transfer(call, false)],
  4: ['Approve', (call) => approve(call, false)],
  5: ['Revoke', revoke],
  6: ['SetAuthority', setAuthority],
  7: ['MintTo', (call) => mintTo(call, false)],
  8: ['Burn', (call) => burn(call, false)],
  9: ['CloseAccount', closeAccount],
  10: ['FreezeAccount', (call) => toggleFrozen(call, true)],
  11: ['ThawAccount', (call) => toggleFrozen(call, false)],
  12: ['TransferChecked', (call) => transfer(call, true)],
  13: ['ApproveChecked', (call) => approve(call, true)],
  14: ['MintToChecked', (call) => mintTo(call, true)],
  15: ['BurnChecked', (call) => burn(call, true)],
  16: ['InitializeAccount2', (call, context) => initializeAccount(call, context, 'dataAndRent')],
  17: ['SyncNative', syncNative],
  18: ['InitializeAccount3', (call, context) => initializeAccount(call, context, 'data')],
  19: ['InitializeMultisig2', (call, context) => initializeMultisig(call, context, false)],
  20: ['InitializeMint2', (call, context) => initializeMint(call, context, false)],
  21: ['GetAccountDataSize', getAccountDataSize],
  22: ['InitializeImmutableOwner', initializeImmutableOwner],
  23: ['AmountToUiAmount', amountToUiAmount],
  24: ['UiAmountToAmount', uiAmountToAmount],
  38: ['WithdrawExcessLamports', withdrawExcessLamports],
  45: ['UnwrapLamports', unwrapLamports],
};

function handle(context: InvokeContext): void {
  withErrorLog(context, () => {
    if (context.data[0] !== BATCH) return dispatch(context, context.accounts, context.data);
    context.log('Instruction: Batch');
    runBatch(context.accounts, context.data.subarray(1), (accounts, data) => dispatch(context, accounts, data));
  });
}

function dispatch(context: InvokeContext, accounts: InvokeContext['accounts'], data: Uint8Array): void {
  const entry = HANDLERS[data[0] ?? -1];
  if (entry === undefined) throw tokenError('invalidInstruction');
  const [name, run] = entry;
  context.log(`Instruction: ${name}`);
  run({ accounts, data: data.subarray(1) }, context);
}
