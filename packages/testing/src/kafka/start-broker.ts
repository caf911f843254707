import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '../find-free-port.ts';
import type { KafkaBroker } from './broker.ts';
import { fetchKafkaJars } from './jars.ts';
import { brokerSettings } from './settings.ts';

const run = promisify(execFile);
/** One broker with a handful of topics needs no more; the client-only compiler starts it a second sooner. */
const JAVA_OPTIONS = ['-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];
const LOG_OPTIONS = [
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
  '-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info',
];
/** Any will do: no two brokers meet. */
const CLUSTER = 'bGVuZGluZy10ZXN0LWJyb2';
const STARTED = 'Kafka Server started';
const START_TIMEOUT_MS = 150_000;
const PORT_ATTEMPTS = 3;

/**
 * Runs its arguments and kills them when the standard input closes: the broker must not outlive a test runner that was
 * itself killed.
 */
const LEASH = 'exec 3<&0; "$@" 3<&- & pid=$!; { read -r _ <&3; kill -9 "$pid" 2>/dev/null; } & wait "$pid"';

export interface KafkaBrokerOptions {
  /** An empty folder for all that it writes, such as a disk of its own; it is removed in the end. Default: a temporary one. */
  readonly folder?: string;
  /** Settings over those that tests need. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Given the port it listens on, tells the port under which clients reach it, such as that of a link. */
  readonly advertise?: (port: number) => Promise<number>;
}

/**
 * Starts Apache Kafka from Maven Central on the machine's Java: a KRaft broker, its own controller, on two free ports. Its jars are fetched
 * once. Fails where Java or Maven is missing (`isKafkaMissing`).
 */
export async function startKafkaBroker(options: KafkaBrokerOptions = {}): Promise<KafkaBroker> {
  const jars = await fetchKafkaJars();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'lending-kafka-')));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(jars, folder, options);
    } catch (error) {
      // Somebody else may have taken a port in between.
      if (attempt < PORT_ATTEMPTS) continue;
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }
}

async function startOn(
  jars: string,
  folder: string,
  { settings, advertise = async (port) => port }: KafkaBrokerOptions,
): Promise<KafkaBroker> {
  const [port, controllerPort] = [await findFreePort(), await findFreePort()];
  const advertised = await advertise(port);
  const data = join(folder, `data-${port}`);
  const config = join(folder, `broker-${port}.properties`);
  const own = nodeSettings({ port, advertised, controllerPort, data });
  await writeFile(config, toProperties({ ...brokerSettings(), ...own, ...settings }));
  await format(jars, config, port);
  const start = () => startProcess([...sharing(jars), 'kafka.Kafka', config], folder);
  let child = await start();
  return {
    brokers: [`127.0.0.1:${advertised}`],
    interrupt: () => kill(child),
    resume: async () => {
      child = await start();
    },
    stop: async () => {
      await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Kafka's classes as Java holds them in memory, which the first format leaves: with them a broker takes two thirds of the processor time to start. */
const classesOf = (jars: string): string => join(jars, 'classes.jsa');
const sharing = (jars: string): readonly string[] => [
  `-XX:SharedArchiveFile=${classesOf(jars)}`,
  ...['-cp', join(jars, '*')],
];

async function format(jars: string, config: string, port: number): Promise<void> {
  const classes = classesOf(jars);
  const isFirst = !existsSync(classes);
  // Others may be the first, too: each writes a file of its own.
  const own = `${classes}.${port}`;
  const options = isFirst ? [`-XX:ArchiveClassesAtExit=${own}`, '-cp', join(jars, '*')] : sharing(jars);
  await run('java', [...JAVA_OPTIONS, ...options, 'kafka.tools.StorageTool', 'format', '-t', CLUSTER, '-c', config]);
  // A Java without an archive of its own classes leaves none, and starts brokers as slowly as before.
  if (isFirst) await rename(own, classes).catch(() => undefined);
}

interface Places {
  readonly port: number;
  readonly advertised: number;
  readonly controllerPort: number;
  readonly data: string;
}

function nodeSettings({ port, advertised, controllerPort, data }: Places): Readonly<Record<string, string>> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertised}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': data,
  };
}

function toProperties(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** Resolves when the broker says that it is up. Where Java itself fails, as it may on a full disk, what it leaves is left in `cwd`. */
function startProcess(parameters: readonly string[], cwd: string): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', LEASH, 'sh', 'java', ...JAVA_OPTIONS, ...LOG_OPTIONS, ...parameters], { cwd });
  const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
  let said = '';
  const fail = (what: string) => {
    child.stdin.end();
    reject(new Error(`The Kafka broker ${what}: ${said.slice(-2_000)}`));
  };
  const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS);
  const listen = (text: Buffer) => {
    said = `${said}${text}`.slice(-10_000);
    if (said.includes(STARTED)) resolve(child);
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.on('error', () => fail('could not be started'));
  child.on('exit', (code) => fail(`ended with ${code}`));
  return promise.finally(() => clearTimeout(timer));
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.stdin?.end();
  await promise;
}
