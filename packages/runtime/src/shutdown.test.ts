import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./shutdown-program.ts', import.meta.url));

/** Runs the little program in a process of its own; signals are sent when it has printed the line waited for. */
function run(
  mode: string,
  signals: readonly { readonly after: string; readonly signal: NodeJS.Signals; readonly waitMs?: number }[] = [],
) {
  const { promise, resolve } = Promise.withResolvers<{ code: number | null; lines: string[]; tookMs: number }>();
  const startMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, mode]);
  const pending = [...signals];
  let output = '';
  const onData = (chunk: Buffer) => {
    output += String(chunk);
    while (pending[0] !== undefined && output.includes(pending[0].after)) {
      const { signal, waitMs = 0 } = pending.shift() as (typeof signals)[number];
      if (waitMs === 0) child.kill(signal);
      else setTimeout(() => child.kill(signal), waitMs);
    }
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  child.on('close', (code) =>
    resolve({ code, lines: output.split('\n').filter(Boolean), tookMs: performance.now() - startMs }),
  );
  return promise;
}

function said(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.startsWith('{'));
}

describe('createShutdown', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'on %s aborts, cleans up last first, one at a time, and exits 0',
    async (signal) => {
      const { code, lines } = await run('clean', [{ after: 'ready', signal }]);
      expect(said(lines)).toEqual(['ready', 'aborted', 'server begins', 'server ends', 'store begins', 'store ends']);
      expect(code).toBe(0);
    },
  );

  it('says that a job was interrupted, and exits 1: nothing goes on as if it were done', async () => {
    const { code, lines } = await run('job', [{ after: 'ready', signal: 'SIGTERM' }]);
    expect(lines.filter((line) => line.includes('runtime.process.interrupt'))).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('goes on cleaning up after a step that fails, and exits 1', async () => {
    const { code, lines } = await run('failing', [{ after: 'ready', signal: 'SIGTERM' }]);
    expect(said(lines)).toEqual(['ready', 'store cleaned']);
    expect(lines.join('\n')).toContain('runtime.cleanup.fail');
    expect(code).toBe(1);
  });

  it('gives up at the deadline, naming the step that hangs', async () => {
    const { code, lines } = await run('hanging', [{ after: 'ready', signal: 'SIGTERM' }]);
    expect(lines.join('\n')).toContain('"cleanup":"stuck"');
    expect(code).toBe(1);
  });

  it('lets a step with a time of its own finish, and the others have theirs', async () => {
    const { code, lines } = await run('finishing', [{ after: 'ready', signal: 'SIGTERM' }]);
    expect(said(lines)).toEqual(['ready', 'server finished', 'store cleaned']);
    expect(code).toBe(0);
  });

  it('gives such a step up when its own time has passed', async () => {
    const { code, lines } = await run('overdue', [{ after: 'ready', signal: 'SIGTERM' }]);
    expect(lines.join('\n')).toContain('"cleanup":"server","deadlineMs":50');
    expect(said(lines)).toEqual(['ready']);
    expect(code).toBe(1);
  });

  it('ends at once on a second Ctrl-C', async () => {
    const { code, lines } = await run('patient', [
      { after: 'ready', signal: 'SIGINT' },
      { after: 'cleaning', signal: 'SIGINT', waitMs: 700 },
    ]);
    expect(said(lines)).toEqual(['ready', 'cleaning']);
    expect(code).toBe(130);
  });

  it('takes a Ctrl-C that reaches it twice, from the terminal and from npm, for one', async () => {
    const { code, lines } = await run('clean', [
      { after: 'ready', signal: 'SIGINT' },
      { after: 'server begins', signal: 'SIGINT' },
      { after: 'server begins', signal: 'SIGTERM' },
    ]);
    expect(said(lines).at(-1)).toBe('store ends');
    expect(code).toBe(0);
  });

  it.each(['throws', 'rejects'])('says one line when something %s uncaught, cleans up, and exits 1', async (mode) => {
    const { code, lines } = await run(mode);
    expect(lines.filter((line) => line.includes('runtime.process.crash'))).toHaveLength(1);
    expect(lines.join('\n')).toContain('surprise');
    expect(said(lines)).toEqual(['cleaned']);
    expect(code).toBe(1);
  });

  it('stops when the program says so, and a cleanup taken back does not run', async () => {
    const { code, lines } = await run('own');
    expect(said(lines)).toEqual(['cleaned']);
    expect(code).toBe(3);
  });
});
