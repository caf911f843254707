import { decodeArguments, type InstructionLayout } from '@lending/programs';
import { isSolanaError } from '@solana/kit';
import { hasBytesAt } from '#engine/bytes.ts';
import { frameworkError } from './framework-error.ts';

/**
 * The arguments behind a discriminator. Borsh takes no bytes but the ones it writes (a bool is 0 or 1); what comes after the last
 * argument does not matter.
 * @throws AnchorError 102
 */
export function readArguments<TArgs>(layout: InstructionLayout<string, TArgs>, data: Uint8Array): TArgs {
  const args = decodeOrNull(layout, data);
  if (args === null) throw frameworkError('InstructionDidNotDeserialize');
  const written = new Uint8Array(layout.args.encode(args));
  if (!hasBytesAt(data, layout.discriminator.length, written)) throw frameworkError('InstructionDidNotDeserialize');
  return args;
}

function decodeOrNull<TArgs>(layout: InstructionLayout<string, TArgs>, data: Uint8Array): TArgs | null {
  try {
    return decodeArguments(layout, data);
  } catch (error) {
    if (isSolanaError(error) || error instanceof RangeError) return null;
    throw error;
  }
}
