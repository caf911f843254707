import { readFile } from 'node:fs/promises';
import { LendingError } from '@lending/errors';
import { type Address, address, isAddress } from '@solana/kit';
import { z } from 'zod';
import type { AccountState } from '#engine/engine.ts';

const addressField = z
  .string()
  .refine(isAddress, 'is not a base58 address')
  .transform((text) => address(text));

/** The dump format of the fixtures: what `getAccountInfo` answers, with the address beside it. */
const dumpSchema = z.object({
  address: addressField.nullable(),
  owner: addressField,
  // A JSON number would lose lamports above 2^53 only; the format writes numbers, so anything larger has to be a string.
  lamports: z.union([z.int().nonnegative(), z.string().regex(/^\d+$/)]).nullable(),
  executable: z.boolean(),
  space: z.int().nonnegative(),
  data: z.tuple([z.base64(), z.literal('base64')]),
});

/** What a genesis file may say in place of a dump that lacks it. */
export interface DumpOverrides {
  readonly address?: Address;
  readonly lamports?: bigint;
}

/**
 * One account from a dump file.
 * @throws LOCALNET__GENESIS_INVALID naming the file when it is missing, malformed, of another size than it says, or has no
 *   address or lamports and nobody gives them.
 */
export async function readAccountDump(
  file: string,
  overrides: DumpOverrides = {},
): Promise<{ readonly address: Address; readonly state: AccountState }> {
  const dump = parseJsonFile(file, await readText(file), dumpSchema);
  const data = new Uint8Array(Buffer.from(dump.data[0], 'base64'));
  if (data.length !== dump.space) {
    throw invalidGenesis(file, `says space ${dump.space} but holds ${data.length} bytes`);
  }
  const accountAddress = overrides.address ?? dump.address;
  if (accountAddress === null) throw invalidGenesis(file, 'has no address, and no genesis file gives one (at)');
  const lamports = overrides.lamports ?? (dump.lamports === null ? null : BigInt(dump.lamports));
  if (lamports === null) throw invalidGenesis(file, 'has no lamports, and no genesis file gives them');
  return { address: accountAddress, state: { lamports, owner: dump.owner, data, executable: dump.executable } };
}

export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw invalidGenesis(
      file,
      code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? String(cause)})`,
      cause,
    );
  }
}

/** Parses a JSON text against a schema; the error is one line that names the file and the first field that is wrong. */
export function parseJsonFile<T extends z.ZodType>(file: string, text: string, schema: T): z.output<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidGenesis(file, `is not JSON (${(cause as Error).message.replaceAll(/\s+/g, ' ')})`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidGenesis(file, `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'not understood'}`);
}

export function invalidGenesis(file: string, reason: string, cause?: unknown): LendingError {
  return new LendingError('LOCALNET__GENESIS_INVALID', {
    message: `Genesis file ${file}: ${reason}`,
    context: { file, reason },
    cause,
  });
}
