import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, removePostgres, startPostgres } from '@lending/postgres';

/** A server whose data may be lost: it lives for one run, so nothing has to reach the disk. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

export interface ThrowawayPostgres extends EmbeddedPostgres {
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

export interface ThrowawayPostgresOptions {
  /** For all that it writes, such as a disk of its own; it is emptied in the end. Default: a temporary folder. */
  readonly dataDir?: string;
  /** Settings over those of a server whose data may be lost. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts an empty server on a free port, with a database of that name. */
export async function startThrowawayPostgres(
  database: string,
  options: ThrowawayPostgresOptions = {},
): Promise<ThrowawayPostgres> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'lending-test-')));
  // As root the server runs as somebody else, who has to get in.
  await chmod(dataDir, 0o711);
  const removeData = (): Promise<void> => removePostgres({ dataDir });
  const settings = { ...SETTINGS, ...options.settings };
  const postgres = await startPostgres({ dataDir, database, settings }).catch(async (error: unknown) => {
    await removeData();
    throw error;
  });
  return {
    ...postgres,
    remove: async () => {
      await postgres.stop();
      await removeData();
    },
  };
}
