import { readU16, readU64 } from '#engine/bytes.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt } from '../account-list.ts';
import { decodeText, encodeU64 } from '../token/queries.ts';
import { tokenError } from '../token/token-error.ts';
import { MINT } from '../token/token-state.ts';
import { formatUiAmount, parseUiAmount } from '../token/ui-amount.ts';
import { assertDataLength, assertToken2022 } from './call.ts';
import { computeLength, hasExtension, isUnpackable, listExtensions } from './extended-state.ts';
import { baseOfExtension, EXTENSION, isKnownExtension, requiredAccountExtensions } from './extension-type.ts';

/** Bytes an account of this mint needs, with the further extensions the instruction names. */
export function getAccountDataSize(data: Uint8Array, context: InvokeContext): void {
  const further = parseExtensionTypes(data);
  if (further.some((type) => baseOfExtension(type) !== 'account')) throw tokenError('extensionTypeMismatch');
  const mint = accountAt(context.accounts, 0);
  assertToken2022(mint);
  if (!isUnpackable(mint.data, 'mint')) throw tokenError('invalidMint');
  const required = listExtensions(mint.data).flatMap((type) => requiredAccountExtensions(type));
  context.setReturnData(encodeU64(BigInt(computeLength([...required, ...further], 'account'))));
}

function parseExtensionTypes(data: Uint8Array): number[] {
  const types: number[] = [];
  for (let offset = 0; offset < data.length; offset += 2) {
    if (offset + 2 > data.length) throw new InstructionError('InvalidAccountData');
    const type = readU16(data, offset);
    if (!isKnownExtension(type)) throw new InstructionError('InvalidAccountData');
    types.push(type);
  }
  return types;
}

export function amountToUiAmount(data: Uint8Array, context: InvokeContext): void {
  assertDataLength(data, 8);
  const decimals = loadQueriedMint(context)[MINT.decimals] ?? 0;
  context.setReturnData(new TextEncoder().encode(formatUiAmount(readU64(data, 0), decimals)));
}

export function uiAmountToAmount(data: Uint8Array, context: InvokeContext): void {
  const text = decodeText(data);
  const decimals = loadQueriedMint(context)[MINT.decimals] ?? 0;
  context.setReturnData(encodeU64(parseUiAmount(text, decimals)));
}

function loadQueriedMint(context: InvokeContext): Uint8Array {
  const mint = accountAt(context.accounts, 0);
  assertToken2022(mint);
  if (!isUnpackable(mint.data, 'mint')) throw tokenError('invalidMint');
  const isScaled = [EXTENSION.interestBearingConfig, EXTENSION.scaledUiAmount].some((type) =>
    hasExtension(mint.data, type),
  );
  if (isScaled) {
    context.log('Interest-bearing and scaled amounts are not part of this local chain');
    throw new InstructionError('InvalidArgument');
  }
  return mint.data;
}
