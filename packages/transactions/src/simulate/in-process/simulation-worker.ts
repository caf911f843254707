import { parentPort } from 'node:worker_threads';
import { Machine } from './machine.ts';
import type { WorkerJob } from './worker-messages.ts';

// A thread of its own: LiteSVM blocks while it runs, and gives its memory back when the thread ends.
const machine = new Machine();

parentPort?.on('message', (job: WorkerJob) => parentPort?.postMessage(machine.run(job)));
