import { LendingError } from '@lending/errors';
import { type AccessTokenRow, createStore, type Database, listAccessTokens, revokeAccessTokens } from '@lending/store';
import { issueAccessToken } from './issue-access-token.ts';

/** What a command says: `result` for whoever reads it by machine, `notes` for people. */
export interface TokenCommandOutcome {
  readonly result: readonly string[];
  readonly notes: readonly string[];
}

const USAGE = 'create <name of the caller> | list | revoke <id of a token, or name of a caller>';
/** One line of letters, digits and what names of people, hosts and addresses have; nothing that reads like an id. */
const CALLER_NAME = /^(?![0-9a-f]{8}-)[\p{L}\p{N}][\p{L}\p{N} ._@+:/-]{0,99}$/u;

/** Runs a command on the tables there, and prints its result on standard output, its notes on standard error. @throws as `runTokenCommand`. */
export async function printTokenCommand(connectionString: string, words: readonly string[]): Promise<void> {
  const store = createStore({ connectionString, poolSize: 1 });
  try {
    const { result, notes } = await runTokenCommand(store.db, words);
    for (const line of result) process.stdout.write(`${line}\n`);
    for (const line of notes) process.stderr.write(`${line}\n`);
  } finally {
    await store.close();
  }
}

/**
 * Issues, lists and ends tokens: `create`, `list`, `revoke`.
 * @throws TOOL__INPUT_INVALID for a command that there is not, and a token or caller that there is not.
 * @throws STORE__UNAVAILABLE when the database does not answer.
 */
export async function runTokenCommand(db: Database, words: readonly string[]): Promise<TokenCommandOutcome> {
  const [command, subject, ...rest] = words;
  if (rest.length > 0) throw refused('There are too many words', `${USAGE}; a name with blanks in quotes`);
  switch (command) {
    case 'create':
      return create(db, subject);
    case 'list':
      if (subject !== undefined) throw refused('list takes nothing', USAGE);
      return list(db);
    case 'revoke':
      return revoke(db, subject);
    default:
      throw refused(command === undefined ? 'Nothing is asked for' : 'There is no such command', USAGE);
  }
}

async function create(db: Database, name: string | undefined): Promise<TokenCommandOutcome> {
  if (name === undefined || !CALLER_NAME.test(name)) {
    throw refused(
      'The name of the caller is missing or not allowed',
      'up to 100 letters, digits, blanks and . _ @ + : / -',
    );
  }
  const { id, token } = await issueAccessToken(db, name);
  return {
    result: [token],
    notes: [`The token of ${name}, shown this once. Its id is ${id}; to revoke it: revoke ${id}`],
  };
}

async function list(db: Database): Promise<TokenCommandOutcome> {
  const rows = await listAccessTokens(db);
  if (rows.length === 0) return { result: [], notes: ['No caller has a token. To issue one: create <name>'] };
  const head = ['ID', 'CALLER', 'CREATED', 'LAST USED', 'REVOKED'];
  return { result: aligned([head, ...rows.map(cellsOf)]), notes: [] };
}

async function revoke(db: Database, which: string | undefined): Promise<TokenCommandOutcome> {
  if (which === undefined || which === '') throw refused('What to revoke is missing', USAGE);
  const ids = await revokeAccessTokens(db, which);
  if (ids.length === 0) {
    throw refused('No token that works has this id or caller', 'an id or a caller that list shows');
  }
  return {
    result: ids,
    notes: [`Revoked ${ids.length === 1 ? 'a token' : `${ids.length} tokens`}: at the next call it is refused.`],
  };
}

function cellsOf({ id, caller, created_at, last_used_at, revoked_at }: AccessTokenRow): readonly string[] {
  return [id, caller, shown(created_at), shown(last_used_at), shown(revoked_at)];
}

function shown(time: Date | null): string {
  return time === null ? '-' : `${time.toISOString().slice(0, 16)}Z`;
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function refused(wrong: string, allowed: string): LendingError {
  return new LendingError('TOOL__INPUT_INVALID', { message: `${wrong} — allowed: ${allowed}` });
}
