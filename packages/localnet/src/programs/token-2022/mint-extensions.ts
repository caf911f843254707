import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt } from '../account-list.ts';
import { tokenError } from '../token/token-error.ts';
import { assertDataLength, assertToken2022, parseOptionalKey } from './call.ts';
import { assertUnpacksUninitialized, EXTENSIONS_START, initializeExtension } from './extended-state.ts';
import { EXTENSION } from './extension-type.ts';
import { setNullableKey } from './optional-field.ts';

/** Extensions a mint is given before it is initialised. */
export function initializeMintCloseAuthority(data: Uint8Array, context: InvokeContext): void {
  const authority = parseOptionalKey(data);
  const { written, start } = extendMint(context, EXTENSION.mintCloseAuthority);
  setNullableKey(written, start, authority);
}

export function initializePermanentDelegate(data: Uint8Array, context: InvokeContext): void {
  assertDataLength(data, 32);
  const { written, start } = extendMint(context, EXTENSION.permanentDelegate);
  setNullableKey(written, start, data);
}

export function initializeNonTransferable(context: InvokeContext): void {
  extendMint(context, EXTENSION.nonTransferable);
}

/** Metadata, group and member pointers and the transfer hook: an authority and an address, either may be zero for none. */
export function initializePointer(data: Uint8Array, context: InvokeContext, type: number): void {
  if (data[0] === 1) {
    context.log('Moving a pointer is not part of this local chain');
    throw new InstructionError('UnsupportedProgramId');
  }
  if (data.length === 0) throw new InstructionError('InvalidInstructionData');
  if (data[0] !== 0) throw tokenError('invalidInstruction');
  assertDataLength(data, 65);
  const { written, start } = extendMint(context, type);
  if (data.subarray(1).every((byte) => byte === 0)) throw tokenError('invalidInstruction');
  written.set(data.subarray(1), start);
}

/** Makes room for an extension on an unused mint. */
export function extendMint(
  context: InvokeContext,
  type: number,
): { readonly written: Uint8Array; readonly start: number } {
  const mint = accountAt(context.accounts, 0);
  assertToken2022(mint);
  assertUnpacksUninitialized(mint.data, 'mint');
  if (mint.data.length < EXTENSIONS_START) throw new InstructionError('InvalidAccountData');
  const written = mint.writableData();
  return { written, start: initializeExtension(written, type, 'mint').start };
}
