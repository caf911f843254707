import { randomUUID } from 'node:crypto';
import { z } from 'zod';

const MOST_CHARACTERS = 100;

/** What a client's program says of itself. */
export const program = z.looseObject({ name: z.string(), version: z.string() });
const initialize = z.looseObject({ params: z.looseObject({ clientInfo: program }) });

/**
 * The session that a client of the 2025 revisions is given. Nothing is kept of it here: its name says whose calls the client calls off and,
 * at whichever instance it is shown again, what the client called itself when it began.
 */
export function newSession(message: unknown): string {
  const { data } = initialize.safeParse(message);
  if (data === undefined) return randomUUID();
  const name = [...nameOf(data.params.clientInfo)].slice(0, MOST_CHARACTERS).join('');
  return `${randomUUID()}.${Buffer.from(name).toString('base64url')}`;
}

/** What the client of a session called itself; null where its name does not say. */
export function clientOfSession(session: string | undefined): string | null {
  const [, encoded = ''] = session?.split('.') ?? [];
  return encoded === '' ? null : Buffer.from(encoded, 'base64url').toString();
}

/** What a client's program calls itself, as one text. */
export function nameOf({ name, version }: z.infer<typeof program>): string {
  return `${name} ${version}`;
}
