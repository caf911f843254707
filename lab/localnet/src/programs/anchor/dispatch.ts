import { decodeArguments, type InstructionLayout } from '@lending/programs';
import { isSolanaError } from '@solana/kit';
import { hasBytesAt } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AnchorError } from './anchor-error.ts';
import { frameworkError } from './framework-error.ts';
import type { InstructionUnits, ProgramInstruction } from './program-instruction.ts';

const DISCRIMINATOR_BYTES = 8;
/** What Anchor reserves for events that a program sends itself. */
const EVENT_TAG = 'e445a52e51cb9a1d';

/**
 * The entry point of an Anchor program: finds the instruction by its discriminator, reads the arguments, runs it, logs the error that
 * ends it. An instruction that is not in the list ends as one that no program knows.
 * @param units what each costs beyond the program's fixed cost and its calls, by the name in its layout.
 * @param isKnown whether the program has the instruction in the version that runs.
 */
export function createDispatch(
  instructions: readonly ProgramInstruction[],
  units: InstructionUnits = {},
  isKnown: (context: InvokeContext, instruction: ProgramInstruction) => boolean = () => true,
): (context: InvokeContext) => void {
  const byDiscriminator = new Map(
    instructions.map((instruction) => [hexOf(instruction.layout.discriminator), instruction]),
  );
  return (context) => {
    try {
      const tag = hexOf(context.data.subarray(0, DISCRIMINATOR_BYTES));
      const instruction = byDiscriminator.get(tag);
      if (instruction === undefined || !isKnown(context, instruction)) {
        throw frameworkError(tag === EVENT_TAG ? 'EventInstructionStub' : 'InstructionFallbackNotFound');
      }
      const { layout, run } = instruction;
      context.log(`Instruction: ${toTypeName(layout.name)}`);
      context.consume(units[layout.name] ?? 0n);
      run(context, readArguments(layout, context.data));
    } catch (error) {
      if (error instanceof AnchorError) error.log(context);
      throw error;
    }
  };
}

/** `lending_account_deposit` as `LendingAccountDeposit`. */
function toTypeName(name: string): string {
  return name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/**
 * The arguments behind a discriminator. Borsh takes no bytes but the ones it writes (a bool is 0 or 1); what comes after the last
 * argument does not matter.
 * @throws AnchorError 102
 */
function readArguments<TArgs>(layout: InstructionLayout<string, TArgs>, data: Uint8Array): TArgs {
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
