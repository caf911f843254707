import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenedLocalnet, SWAP_PROGRAM } from '@lending/localnet';
import { type FirstContact, readFirstContact } from '@lending/runtime/first-contact-file.ts';
import { spawnProcess } from '@lending/testing';

/** How one check of a report ended. */
export interface SmokeCheck {
  readonly name: string;
  readonly outcome: 'ok' | 'failed' | 'skipped';
  readonly reasons: readonly string[];
  readonly figures: Readonly<Record<string, unknown>>;
}

export interface SmokeReport {
  readonly verdict: string;
  readonly exceptions: readonly string[];
  readonly relaxed: readonly string[];
  readonly contact: {
    readonly program: { readonly version: string };
    readonly answers: readonly { readonly id: string; readonly answer: string }[];
    readonly healths: readonly { readonly outcome: string }[];
    readonly banks: readonly { readonly outcome: string }[];
  };
  readonly outcome: string;
  readonly cluster: { readonly genesis_hash: string; readonly slot: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly checks: readonly SmokeCheck[];
  readonly operations: Readonly<Record<string, { readonly calls: number; readonly answers: number }>>;
  readonly tools: readonly string[];
}

export interface SmokeRun {
  readonly code: number | null;
  readonly lines: readonly string[];
  /** Null where it ended without one. */
  readonly report: SmokeReport | null;
  readonly markdown: string | null;
  /** What the service reads; null where there is none. */
  readonly result: FirstContact | null;
}

/** What the local chain has in place of the aggregators and of Switchboard: a smoke test is told of them as of any others. */
export function doublesOf(localnet: OpenedLocalnet): Readonly<Record<string, string>> {
  const { aggregatorUrls, switchboardUrl } = localnet;
  if (aggregatorUrls === null || switchboardUrl === null) throw new Error('this chain has no doubles');
  return {
    JUPITER_URL: aggregatorUrls.jupiter,
    JUPITER_API_KEY: 'a-key',
    DFLOW_URL: aggregatorUrls.dflow,
    DFLOW_API_KEY: 'a-key',
    SWAP_PROGRAMS: SWAP_PROGRAM,
    SWITCHBOARD_CROSSBAR_URL: switchboardUrl,
    SWITCHBOARD_GATEWAY_HOSTS: new URL(switchboardUrl).hostname,
  };
}

/** Runs it as `npm run smoke` does, to its end. */
export async function runSmoke(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SmokeRun> {
  const out = await mkdtemp(join(tmpdir(), 'smoke-report-'));
  try {
    const { child, lines } = spawnProcess({
      entry: 'lab/smoke/src/main.ts',
      arguments: [...args, '--out', out],
      env,
    });
    const [code] = await once(child, 'close');
    const files = await readdir(out);
    const read = async (ending: string) => {
      const name = files.find((file) => /^\d/.test(file) && file.endsWith(ending));
      return name === undefined ? null : readFile(join(out, name), 'utf8');
    };
    const json = await read('.json');
    const result = await readFirstContact(join(out, 'first-contact.json'));
    return { code, lines, report: json === null ? null : JSON.parse(json), markdown: await read('.md'), result };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

/**
 * Presses Ctrl-C when it says `when`. `left` is what it had made in the folder for temporary files, and did not remove.
 * @param out folder of the report, which keeps what was found so far.
 */
export async function stopSmoke(
  args: readonly string[],
  when: RegExp,
  out: string,
): Promise<Pick<SmokeRun, 'code' | 'lines'> & { readonly left: readonly string[] }> {
  const TMPDIR = await mkdtemp(join(tmpdir(), 'smoke-temporary-'));
  // Postgres, which does not run as root, has to enter.
  await chmod(TMPDIR, 0o711);
  try {
    const { child, lines, waitForLine } = spawnProcess({
      entry: 'lab/smoke/src/main.ts',
      arguments: [...args, '--out', out],
      env: { TMPDIR },
    });
    const closed = once(child, 'close');
    await waitForLine(when);
    child.kill('SIGINT');
    child.kill('SIGINT');
    const [code] = await closed;
    return { code, lines, left: await readdir(TMPDIR) };
  } finally {
    await rm(TMPDIR, { recursive: true, force: true });
  }
}
