import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { createAnswerReader } from './answer-reader.ts';

/** What a thread that asks is told. */
export interface AskerTask {
  readonly host: string;
  readonly port: number;
  /** The whole request, head and body. */
  readonly request: string;
  readonly status: number;
  readonly connections: number;
  readonly ms: number;
}

/** What it found. */
export interface AskerTally {
  readonly ms: readonly number[];
  readonly bytes: number;
  /** Answers of another status. */
  readonly wrong: number;
}

/** Bytes taken from a socket at once: a large answer in few pieces. */
const PIECE = 262_144;

const task = workerData as AskerTask;
const request = Buffer.from(task.request);
const ms: number[] = [];
let bytes = 0;
let wrong = 0;
const until = performance.now() + task.ms;
await Promise.all(Array.from({ length: task.connections }, askUntilTheEnd));
parentPort?.postMessage({ ms, bytes, wrong } satisfies AskerTally);

/** One request after the other over one connection. */
async function askUntilTheEnd(): Promise<void> {
  const done = Promise.withResolvers<void>();
  let askedAt = 0;
  const read = createAnswerReader((answer) => {
    const now = performance.now();
    ms.push(now - askedAt);
    bytes += answer.bytes;
    if (answer.status !== task.status) wrong += 1;
    if (now >= until) done.resolve();
    else ask();
  });
  const socket: Socket = connect({
    host: task.host,
    port: task.port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(PIECE),
      callback: (length, buffer) => {
        read(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    },
  });
  socket.once('error', done.reject);
  socket.once('close', () => done.reject(new Error('The server closed a connection')));
  await once(socket, 'connect');
  function ask(): void {
    askedAt = performance.now();
    socket.write(request);
  }
  ask();
  try {
    await done.promise;
  } finally {
    socket.destroy();
  }
}
