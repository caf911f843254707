import { TOKEN_PROGRAM } from '@lending/programs';
import { readU64, writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { accountAt } from '../account-list.ts';
import { assertMintValid } from './initialize.ts';
import { loadMint, type TokenCall } from './token-call.ts';
import { tokenError } from './token-error.ts';
import { ACCOUNT, assertOwnedBy, MINT } from './token-state.ts';
import { formatUiAmount, parseUiAmount } from './ui-amount.ts';

export function getAccountDataSize(call: TokenCall, context: InvokeContext): void {
  loadQueriedMint(call);
  context.setReturnData(encodeU64(BigInt(ACCOUNT.size)));
}

export function amountToUiAmount(call: TokenCall, context: InvokeContext): void {
  if (call.data.length < 8) throw tokenError('invalidInstruction');
  const decimals = loadQueriedMint(call)[MINT.decimals] ?? 0;
  context.setReturnData(new TextEncoder().encode(formatUiAmount(readU64(call.data, 0), decimals)));
}

export function uiAmountToAmount(call: TokenCall, context: InvokeContext): void {
  const text = decodeText(call.data);
  const decimals = loadQueriedMint(call)[MINT.decimals] ?? 0;
  context.setReturnData(encodeU64(parseUiAmount(text, decimals)));
}

export function decodeText(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    throw tokenError('invalidInstruction');
  }
}

export function encodeU64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  writeU64(bytes, 0, value);
  return bytes;
}

function loadQueriedMint(call: TokenCall): Uint8Array {
  const mint = accountAt(call.accounts, 0);
  assertOwnedBy(mint, TOKEN_PROGRAM);
  return assertMintValid(() => loadMint(mint));
}
