import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalnet } from '@lending/localnet';
import { useDatabase } from '@lending/store/testing';
import {
  API_ENV,
  isKafkaMissing,
  KAFKA_NEEDS,
  NODE_FLAGS,
  ROOT,
  spawnProcess,
  startKafkaBroker,
} from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cluster, SERVICES, type Service } from '../src/cluster/cluster.ts';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { isForeign, MUST_HOLD, MUST_NOT_HOLD } from '../src/infra/image-files.ts';
import { type ImageFolders, lastOf, openImageFolders } from '../src/infra/image-folders.ts';
import type { BanksReply } from '../src/replies.ts';

const IMAGES = [...SERVICES, 'demo'];
const isSkipped = await isKafkaMissing();

let folder: string;
let images: ImageFolders;
let roots: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
  images = openImageFolders(folder);
  const laid = await Promise.all(IMAGES.map(async (image) => [image, await images.layStage(image)] as const));
  roots = new Map(laid);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the image has at its working directory. */
function appOf(image: string): string {
  return join(roots.get(image) ?? '', 'app');
}

function filesOf(image: string): readonly string[] {
  const app = appOf(image);
  // Links are what npm makes of workspaces: their files are listed where they are.
  return globSync('**', { cwd: app, exclude: (path) => path.startsWith('node_modules/@lending') }).filter(
    (path) => !path.startsWith('node_modules/@lending') && statSync(join(app, path)).isFile(),
  );
}

function entryOf(image: string): string {
  return (JSON.parse(lastOf(images.stages, image, 'CMD') ?? '[]') as string[])[0] ?? '';
}

describe.each(IMAGES)('the image of %s', (image) => {
  let files: readonly string[] = [];
  beforeAll(() => {
    files = filesOf(image);
  });

  it('[image-files] holds what it runs on', () => {
    const missing = (MUST_HOLD[image] ?? []).filter((wanted) =>
      wanted.endsWith('/') ? !files.some((path) => path.startsWith(wanted)) : !files.includes(wanted),
    );
    expect(missing).toEqual([]);
  });

  it('[image-files] holds nothing that it does not run on', () => {
    for (const { what, path } of MUST_NOT_HOLD)
      expect(
        files.filter((file) => path.test(file)),
        what,
      ).toEqual([]);
    expect(files.filter((file) => isForeign(image, file))).toEqual([]);
  });

  it('[image-files] is run by Node as everywhere, not by root, and asked whether it is alive', () => {
    expect(JSON.parse(lastOf(images.stages, image, 'ENTRYPOINT') ?? '[]')).toEqual(['node', ...NODE_FLAGS]);
    expect(lastOf(images.stages, image, 'USER')).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    expect(lastOf(images.stages, image, 'HEALTHCHECK')).toContain('"infra/docker/is-alive.mjs"');
    expect(files).toContain(entryOf(image));
    if (image === 'api') expect(lastOf(images.stages, image, 'ENV')).toContain(API_ENV);
  });
});

it('[image-files] has the Node of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(images.stages.get('node')?.base).toBe(`node:${dependencies.node}-bookworm-slim`);
});

it.concurrent.each(SERVICES)(
  '[image-starts] %s says what it was not told, and ends',
  async (service) => {
    const running = spawnProcess({ root: appOf(service), entry: entryOf(service), env: {} });
    await running.waitForLine(/DATABASE_URL is not set; allowed: a URL starting with postgres/);
    await eventually(async () => expect(running.child.exitCode).toBe(1));
    expect(running.lines.filter((line) => !/^[A-Z_]+ is not set; allowed: |^CONFIG__INVALID/.test(line))).toEqual([]);
  },
  300_000,
);

describe.skipIf(isSkipped)(`images (a Kafka broker ${KAFKA_NEEDS})`, () => {
  const database = useDatabase();
  const opened = useOpened();

  it('[image-serves] prepares the ground by its jobs, as often as one likes, then serves banks and says that it is alive', async () => {
    const broker = opened.keep(await startKafkaBroker());
    const localnet = opened.keep(await openLocalnet({ genesis: { kind: 'demo' } }));
    await localnet.start();
    const [kafka = ''] = broker.brokers;
    const { connectionString: databaseUrl } = database;
    const { rpcUrl, wsUrl } = localnet;
    for (const job of ['migrate', 'create-topics', 'migrate', 'create-topics']) {
      const entry = `services/indexer/src/jobs/${job}.ts`;
      const running = spawnProcess({
        root: appOf('indexer'),
        entry,
        env: { DATABASE_URL: databaseUrl, KAFKA_BROKERS: kafka },
      });
      await running.waitForLine(job === 'migrate' ? /store\.migration\.finish/ : /bus\.topic\.prepare/);
      await eventually(async () => expect(running.child.exitCode).toBe(0));
    }
    const cluster = opened.keep(new Cluster({ kafka, databaseUrl, rpcUrl, wsUrl, settings: { POLL_P0_MS: '500' } }));
    await Promise.all(SERVICES.map((service) => cluster.start(service, { root: appOf(service) })));
    await eventually(async () => {
      const { banks } = await getJson<BanksReply>(`${cluster.urlOf('api')}/v1/banks`);
      expect(banks.length).toBeGreaterThanOrEqual(12);
    });
    for (const service of SERVICES) {
      expect(askAlive(service, new URL(cluster.urlOf(service)).port), service).toBe(0);
      expect(askAlive(service, '1'), `${service} at a port where nobody is`).toBe(1);
    }
  });
});

/** The exit code of the image's own health check. */
function askAlive(service: Service, port: string): number | null {
  const [, command = '[]'] = /CMD (\[.*\])$/.exec(lastOf(images.stages, service, 'HEALTHCHECK') ?? '') ?? [];
  const [, ...args] = JSON.parse(command) as string[];
  const variable = args.at(-2) ?? '';
  return spawnSync(process.execPath, args, { cwd: appOf(service), env: { [variable]: port } }).status;
}
