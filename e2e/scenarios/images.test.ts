import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import {
  isKafkaMissing,
  KAFKA_NEEDS,
  type KafkaBroker,
  NODE_FLAGS,
  ROOT,
  type RunningProcess,
  spawnProcess,
  startKafkaBroker,
  startProcess,
  useDatabase,
} from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../src/eventually.ts';
import { getJson } from '../src/http.ts';
import { lastOf } from '../src/infra/dockerfile.ts';
import { isForeign, MUST_HOLD, MUST_NOT_HOLD } from '../src/infra/image-files.ts';
import { type ImageFolders, openImageFolders } from '../src/infra/image-folders.ts';
import { READY_LINE, SERVICES, type Service } from '../src/services.ts';

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
  const processes: RunningProcess[] = [];
  let chainFolder: string;
  let broker: KafkaBroker;
  let localnet: OpenedLocalnet;

  beforeAll(async () => {
    chainFolder = await mkdtemp(join(tmpdir(), 'images-chain-'));
    [broker, localnet] = await Promise.all([
      startKafkaBroker(),
      openLocalnet({ genesis: { kind: 'demo' }, folder: chainFolder }),
    ]);
    await localnet.start();
  });
  afterAll(async () => {
    await Promise.all(processes.map((running) => running.stop()));
    await localnet?.stop();
    await broker?.stop();
    await rm(chainFolder, { recursive: true, force: true });
  });

  it('[image-serves] prepares the ground by its jobs, as often as one likes, then serves banks and says that it is alive', async () => {
    const env = {
      DATABASE_URL: database.connectionString,
      KAFKA_BROKERS: broker.brokers.join(','),
      SOLANA_RPC_URL: localnet.rpcUrl,
      SOLANA_WS_URL: localnet.wsUrl,
      CHAIN_SOURCE: 'localnet',
      PROBE_PORT: '0',
      API_PORT: '0',
      POLL_P0_MS: '500',
    };
    for (const job of ['migrate', 'create-topics', 'migrate', 'create-topics']) {
      const entry = `services/indexer/src/jobs/${job}.ts`;
      const running = spawnProcess({ root: appOf('indexer'), entry, env });
      await running.waitForLine(job === 'migrate' ? /store\.migration\.finish/ : /bus\.topic\.prepare/);
      await eventually(async () => expect(running.child.exitCode).toBe(0));
    }
    const ports = new Map<Service, string>();
    const start = async (service: Service) => {
      const readyLine = READY_LINE[service];
      const running = await startProcess({ root: appOf(service), entry: entryOf(service), env, readyLine });
      processes.push(running);
      ports.set(service, running.baseUrl);
    };
    await Promise.all(SERVICES.map(start));
    const { banks } = await eventually(async () => {
      const reply = await getJson<{ banks: readonly object[] }>(`http://127.0.0.1:${ports.get('api')}/v1/banks`);
      expect(reply.banks.length).toBeGreaterThanOrEqual(12);
      return reply;
    });
    expect(banks.length).toBeGreaterThanOrEqual(12);
    for (const service of SERVICES) {
      expect(askAlive(service, ports.get(service) ?? ''), service).toBe(0);
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
