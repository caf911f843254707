import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Link, openLink } from './link.ts';
import { listenOnFreePort } from './listen-on-free-port.ts';

describe('openLink', () => {
  let server: Server;
  let link: Link;
  const open: Socket[] = [];
  const heard: string[] = [];

  beforeEach(async () => {
    heard.length = 0;
    server = createServer((socket) => {
      open.push(socket);
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          heard.push(String(chunk));
          socket.write(`re ${chunk}`);
        });
    });
    link = await openLink({ to: await listenOnFreePort(server) });
  });
  afterEach(async () => {
    await link.close();
    for (const socket of open.splice(0)) socket.destroy();
    server.close();
  });

  async function call(): Promise<{ readonly socket: Socket; readonly answers: string[] }> {
    const socket = dial({ port: link.port, host: '127.0.0.1' });
    open.push(socket);
    const answers: string[] = [];
    socket.on('error', () => undefined).on('data', (chunk) => answers.push(String(chunk)));
    await once(socket, 'connect');
    return { socket, answers };
  }

  it('carries both ways, and the end of either', async () => {
    const { socket, answers } = await call();
    socket.write('one');
    await expect.poll(() => answers).toEqual(['re one']);
    expect(link.connections).toBe(1);
    open[1]?.end();
    await expect.poll(() => socket.readableEnded).toBe(true);
    socket.end();
    await expect.poll(() => link.connections).toBe(0);
  });

  it('resets what is there and what comes while it is cut', async () => {
    const { socket } = await call();
    link.cut();
    await expect.poll(() => socket.destroyed).toBe(true);
    const later = dial({ port: link.port, host: '127.0.0.1' });
    const [error] = (await once(later, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
    link.heal();
    const { socket: again, answers } = await call();
    again.write('two');
    await expect.poll(() => answers).toEqual(['re two']);
  });

  it('takes connections and says nothing while it is paused, and hands all on once it is healed', async () => {
    const { socket, answers } = await call();
    link.pause();
    socket.write('one');
    const { socket: late, answers: lateAnswers } = await call();
    late.write('two');
    await sleep(100);
    expect([heard, answers, lateAnswers]).toEqual([[], [], []]);
    link.heal();
    await expect.poll(() => [answers, lateAnswers]).toEqual([['re one'], ['re two']]);
  });

  it('holds one direction only when it is half open', async () => {
    const { socket, answers } = await call();
    link.pause('answers');
    socket.write('one');
    await expect.poll(() => heard).toEqual(['one']);
    await sleep(50);
    expect(answers).toEqual([]);
    link.heal();
    await expect.poll(() => answers).toEqual(['re one']);
  });

  it('lets everything through late, and no more of it than told, while it is slow', async () => {
    link.slow({ latencyMs: 50, bytesPerSecond: 10_000 });
    const { socket, answers } = await call();
    const startMs = performance.now();
    socket.write('x'.repeat(1_000));
    await expect.poll(() => answers.join('').length).toBe(1_003);
    expect(performance.now() - startMs).toBeGreaterThan(2 * (50 + 100) - 5);
  });

  it('resets who dials while nobody is behind it', async () => {
    server.close();
    for (const socket of open.splice(0)) socket.destroy();
    const caller = dial({ port: link.port, host: '127.0.0.1' });
    const [error] = (await once(caller, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNRESET');
  });
});
