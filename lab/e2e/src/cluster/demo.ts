import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDataDir, type RunningProcess, startEmbedded } from '@lending/testing';
import { afterAll, beforeAll, expect } from 'vitest';
import { query } from '../tables/query.ts';

type Settings = Readonly<Record<string, string>>;

/** `npm start` on a data folder of its own. */
export class Demo {
  readonly #name: string;
  #dataDir: string | undefined;
  #app: RunningProcess | undefined;

  /** @param dataDir default: a folder of its own, whose name begins with `name`. */
  constructor(name: string, dataDir?: string) {
    this.#name = name;
    this.#dataDir = dataDir;
  }

  /** Starts it; on the same folder where it ran before. */
  async start(env: Settings = {}): Promise<this> {
    this.#dataDir ??= await createDataDir(this.#name);
    this.#app = await startEmbedded({ dataDir: this.#dataDir, env });
    return this;
  }

  get app(): RunningProcess {
    if (this.#app === undefined) throw new Error(`${this.#name} runs only while hooks and tests do`);
    return this.#app;
  }

  get dataDir(): string {
    if (this.#dataDir === undefined) throw new Error(`${this.#name} was not started`);
    return this.#dataDir;
  }

  get url(): string {
    return this.app.baseUrl;
  }

  /** Of its database, for who may do everything. */
  get databaseUrl(): string {
    return readFileSync(join(this.dataDir, 'database-url'), 'utf8').trim();
  }

  query<R extends object>(text: string, values: readonly unknown[] = []): Promise<readonly R[]> {
    return query<R>({ connectionString: this.databaseUrl }, text, values);
  }

  /** Ends it and removes its folder. @returns the exit code; null where it never ran. */
  async stop(): Promise<number | null> {
    const code = (await this.#app?.stop()) ?? null;
    if (this.#dataDir !== undefined) await rm(this.#dataDir, { recursive: true, force: true });
    return code;
  }
}

/** Runs one for the tests of the enclosing file or `describe`, from the moment that `ready` resolves, and sees that it ends cleanly. */
export function useDemo(
  name: string,
  settings: Settings | (() => Settings | Promise<Settings>) = {},
  ready?: (demo: Demo) => Promise<unknown>,
): Demo {
  const demo = new Demo(name);
  beforeAll(async () => {
    await demo.start(typeof settings === 'function' ? await settings() : settings);
    await ready?.(demo);
  });
  afterAll(async () => expect(await demo.stop()).toBe(0));
  return demo;
}
