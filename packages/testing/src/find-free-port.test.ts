import { createServer } from 'node:net';
import { expect, it, vi } from 'vitest';
import { findFreePort } from './find-free-port.ts';

const tried = vi.hoisted(() => ({ ports: [] as number[] }));
vi.mock('node:crypto', async (importActual) => {
  const actual = await importActual<typeof import('node:crypto')>();
  return { ...actual, randomInt: (from: number, end: number) => tried.ports.shift() ?? actual.randomInt(from, end) };
});

it('finds a port that no system hands out, and that nobody listens on', async () => {
  const taken = await findFreePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  tried.ports.push(taken);
  const found = await findFreePort();
  server.close();
  expect(found).not.toBe(taken);
  for (const port of [taken, found]) expect(port).toBeLessThan(32_768);
});
