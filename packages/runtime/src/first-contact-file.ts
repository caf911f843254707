import { readFile } from 'node:fs/promises';
import { LendingError } from '@lending/errors';
import * as z from 'zod';

const text = z.string().min(1).max(500);

/** What a run of first contact found, as `npm run smoke` writes it into a file and the api reads it. */
export const firstContactSchema = z.strictObject({
  format: z.literal(1),
  /** ISO-8601 UTC: when the run ended. */
  at: z.iso.datetime(),
  /** The lending program, and the slot in which it was deployed, in digits: the run says nothing of another. */
  program: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
  deploy_slot: z.string().regex(/^\d{1,20}$/),
  /** The program's version as it was judged: `0.1.12`. */
  version: z.string().min(1).max(20),
  /** Hash of the cluster's first block. */
  genesis: z.string().min(1).max(100),
  verdict: z.enum(['trusted', 'trusted_except', 'not_trusted']),
  /** For what it is not trusted, or why; empty where the verdict is `trusted`. */
  exceptions: z.array(text).max(200),
  /** Ids of the strict rules that an answer of the chain relaxes. */
  relaxed: z.array(text).max(200),
});
export type FirstContact = z.infer<typeof firstContactSchema>;

/**
 * The file at `path`; null where there is none.
 * @throws RUNTIME__FIRST_CONTACT_MALFORMED in one line, where it cannot be read or holds something else.
 */
export async function readFirstContact(path: string): Promise<FirstContact | null> {
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw malformed(path, `it cannot be read (${code ?? 'no reason given'})`, error);
  }
  const report = firstContactSchema.safeParse(parseJson(path, content));
  if (report.success) return report.data;
  const [issue] = report.error.issues;
  throw malformed(path, `${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
}

function parseJson(path: string, content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw malformed(path, 'it is no JSON', error);
  }
}

function malformed(path: string, reason: string, cause?: unknown): LendingError {
  return new LendingError('RUNTIME__FIRST_CONTACT_MALFORMED', {
    message: `No report of a first contact in ${path}: ${reason} — run npm run smoke -- --rpc URL again, or remove the file`,
    ...(cause !== undefined && { cause }),
  });
}
