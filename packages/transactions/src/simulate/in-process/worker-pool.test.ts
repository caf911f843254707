import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf } from '#compile/testing-instructions.ts';
import { readMachineFailure } from './machine-failure.ts';
import type { WorkerJob, WorkerOutcome } from './worker-messages.ts';
import { type PoolOptions, WorkerPool } from './worker-pool.ts';

/** The test threads take what is watched for what to do: fail in some way, or wait so many ms. They answer with their own number. */
const CRASH = 255;
const EXIT = 254;
const HANG = 253;
const PROGRAM = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ watch: [what] }) => {
    if (what === ${CRASH}) throw new Error('boom');
    if (what === ${EXIT}) process.exit(7);
    if (what === ${HANG}) for (;;);
    setTimeout(() => parentPort.postMessage({ kind: 'no_code', program: String(threadId) }), what);
  });
`)}`,
);

function jobOf(what: number, bytes = 0): WorkerJob {
  const state = { owner: addressOf(1), lamports: 1n, data: new Uint8Array(bytes) };
  const accounts = [{ address: addressOf(1), state }];
  return { accounts, programs: [], withoutCode: [], transactions: [], watch: [what] as never };
}

function threadOf(outcome: WorkerOutcome): string {
  return outcome.kind === 'no_code' ? outcome.program : '';
}

describe('WorkerPool', () => {
  let pool: WorkerPool;
  const open = (options: PoolOptions = {}) => {
    pool = new WorkerPool({ program: PROGRAM, ...options });
    return pool;
  };
  afterEach(() => pool.close());

  const threadsOf = async (jobs: readonly WorkerJob[]) =>
    (await Promise.all(jobs.map((job) => pool.run(job)))).map(threadOf);

  it('starts no more threads than it may, and gives each the next job', async () => {
    open({ workers: 2 });
    const threads = await threadsOf(Array.from({ length: 10 }, () => jobOf(5)));
    expect(new Set(threads).size).toBe(2);
  });

  it('uses one thread again while it is free', async () => {
    open({ workers: 2 });
    const [first] = await threadsOf([jobOf(0)]);
    expect(await threadsOf([jobOf(0)])).toEqual([first]);
  });

  it("ends a thread with a stranger's list", async () => {
    open({ workers: 1 });
    const foreign = threadOf(await pool.run(jobOf(0), { isForeign: true }));
    const [next] = await threadsOf([jobOf(0)]);
    expect(next).not.toBe(foreign);
    expect(await threadsOf([jobOf(0)])).toEqual([next]);
  });

  it.each([
    ['crashes', CRASH, 'crashed'],
    ['ends', EXIT, 'ended with code 7'],
  ])('fails one job when its thread %s, and goes on with another', async (_, what, words) => {
    open({ workers: 1 });
    const [bad, good] = await Promise.allSettled([pool.run(jobOf(what)), pool.run(jobOf(0))]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'DATA__UNAVAILABLE' } });
    expect(bad).toMatchObject({ reason: { message: expect.stringContaining(words) } });
    expect(good).toMatchObject({ status: 'fulfilled' });
  });

  it('ends a thread that hangs, at its deadline', async () => {
    open({ workers: 1, deadlineMs: 300 });
    const [bad, good] = await Promise.allSettled([pool.run(jobOf(HANG)), pool.run(jobOf(0))]);
    expect(bad).toMatchObject({ reason: { message: expect.stringContaining('longer than 300 ms') } });
    expect(good).toMatchObject({ status: 'fulfilled' });
  });

  it('replaces a thread after so many jobs', async () => {
    open({ workers: 1, maxJobs: 2 });
    const threads = await threadsOf(Array.from({ length: 5 }, () => jobOf(0)));
    expect(new Set(threads).size).toBe(3);
    expect(threads[0]).toBe(threads[1]);
  });

  it('replaces a thread after so many bytes', async () => {
    open({ workers: 1, maxBytes: 250 });
    const threads = await threadsOf(Array.from({ length: 4 }, () => jobOf(0, 100)));
    expect(new Set(threads).size).toBe(2);
    expect(threads[2]).not.toBe(threads[3]);
  });

  it('counts code once for a thread', async () => {
    open({ workers: 1, maxBytes: 250 });
    const code = { address: addressOf(2), key: 'code', loader: addressOf(3), elf: new Uint8Array(100) };
    const threads = await threadsOf(Array.from({ length: 4 }, () => ({ ...jobOf(0, 10), programs: [code] })));
    expect(new Set(threads).size).toBe(1);
  });

  it('ends a thread that nobody needs', async () => {
    open({ workers: 1, idleMs: 20 });
    const [first] = await threadsOf([jobOf(0)]);
    await sleep(500);
    expect(await threadsOf([jobOf(0)])).not.toEqual([first]);
  });

  it('refuses jobs when too many wait', async () => {
    open({ workers: 1, maxWaiting: 1 });
    const running = [pool.run(jobOf(20)), pool.run(jobOf(0))];
    await expect(pool.run(jobOf(0))).rejects.toMatchObject({ code: 'DATA__UNAVAILABLE' });
    await Promise.all(running);
  });

  it('gives up a job whose caller does, waiting or running', async () => {
    open({ workers: 1, deadlineMs: 600_000 });
    const stop = new AbortController();
    const jobs = [pool.run(jobOf(50), stop), pool.run(jobOf(HANG), stop)];
    stop.abort(new Error('enough'));
    for (const job of jobs) await expect(job).rejects.toThrow('enough');
    // The one that waited is never run: it would hang the only thread.
    await expect(pool.run(jobOf(0))).resolves.toMatchObject({ kind: 'no_code' });
    await expect(pool.run(jobOf(0), { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it('rejects what runs and waits when it is closed, and what comes later', async () => {
    open({ workers: 1 });
    const jobs = Promise.allSettled([pool.run(jobOf(HANG)), pool.run(jobOf(0))]);
    await pool.close();
    for (const job of await jobs) expect(job).toMatchObject({ reason: { code: 'DATA__UNAVAILABLE' } });
    await expect(pool.run(jobOf(0))).rejects.toMatchObject({ code: 'DATA__UNAVAILABLE' });
  });
});

const words = (error: string) =>
  `FailedTransactionMetadata(FailedTransactionMetadata { err: ${error}, meta: TransactionMetadata { logs: ["{ err: InstructionError(9, Custom(9))"] } })`;

describe('readMachineFailure', () => {
  it.each([
    ['InstructionError(1, Custom(6009))', { error: [1, { Custom: 6009 }], reason: 'custom program error: 0x1779' }],
    ['InstructionError(0, InvalidAccountData)', { error: [0, 'InvalidAccountData'], reason: 'InvalidAccountData' }],
    ['InsufficientFundsForRent { account_index: 1 }', { error: null, reason: 'InsufficientFundsForRent' }],
    ['AccountNotFound', { error: null, reason: 'AccountNotFound' }],
    ['DuplicateInstruction(3)', { error: null, reason: 'DuplicateInstruction' }],
  ])('reads %s', (error, failure) => {
    expect(readMachineFailure(words(error))).toEqual(failure);
  });
});
