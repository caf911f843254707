import { address } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext, Program } from '#engine/program.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

/** Logs a text that every account given must have signed. */
export const memoProgram: Program = { programId: MEMO_PROGRAM, handle, units: 1_000n };

function handle(context: InvokeContext): void {
  for (const account of context.accounts) {
    if (!account.isSigner) throw new InstructionError('MissingRequiredSignature');
    context.log(`Signed by ${account.address}`);
  }
  const memo = decodeMemo(context.data);
  context.log(`Memo (len ${context.data.length}): ${JSON.stringify(memo)}`);
}

function decodeMemo(data: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data);
  } catch {
    throw new InstructionError('InvalidInstructionData');
  }
}
