import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..', '..', '..');
const POM = join(ROOT, 'infra', 'kafka', 'pom.xml');
const CACHE = join(ROOT, '.cache', 'kafka');

/**
 * The folder with the broker's jars, fetched with Maven if it is not there.
 *
 * They are copied to a folder of this process's own and renamed when complete: an interrupted download leaves nothing that
 * looks finished, and of two that run at once the second finds the first one's result in place.
 */
export async function fetchKafkaJars(): Promise<string> {
  const version = /<kafka\.version>([^<]+)</.exec(await readFile(POM, 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${POM} does not name a kafka.version`);
  const jars = join(CACHE, version);
  if (existsSync(jars)) return jars;
  await mkdir(CACHE, { recursive: true });
  const partial = await mkdtemp(join(CACHE, 'partial-'));
  try {
    await run('mvn', ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${partial}`]);
    await rename(partial, jars);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!existsSync(jars)) throw new Error(`Maven did not fetch Kafka ${version}`, { cause: error });
  }
  return jars;
}
