import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from './logger.ts';
import { createShutdown } from './shutdown.ts';

/** Those that are told to stop soon. */
const HURRIED: ReadonlySet<string | undefined> = new Set(['hanging', 'finishing', 'overdue']);

/** The program that `shutdown.test.ts` starts and stops; the argument picks what it does. */
const shutdown = createShutdown({
  logger: createLogger({ level: 'info', name: 'test' }),
  deadlineMs: HURRIED.has(process.argv[2]) ? 100 : 10_000,
  signalCode: process.argv[2] === 'job' ? 1 : 0,
});
const alive = setInterval(() => undefined, 1000);
const say = (line: string) => void process.stdout.write(`${line}\n`);

function cleanUpSlowly(name: string): void {
  shutdown.onCleanup(name, async () => {
    say(`${name} begins`);
    await sleep(20);
    say(`${name} ends`);
  });
}

function begin(mode: string | undefined): void {
  switch (mode) {
    case 'clean':
      shutdown.signal.addEventListener('abort', () => say('aborted'));
      cleanUpSlowly('store');
      cleanUpSlowly('server');
      say('ready');
      break;
    case 'job':
      say('ready');
      break;
    case 'failing':
      shutdown.onCleanup('store', () => say('store cleaned'));
      shutdown.onCleanup('broken', () => Promise.reject(new Error('cannot close')));
      say('ready');
      break;
    case 'hanging':
      shutdown.onCleanup('stuck', () => new Promise(() => undefined));
      say('ready');
      break;
    case 'finishing':
      shutdown.onCleanup('store', () => say('store cleaned'));
      shutdown.onCleanup('server', () => sleep(400).then(() => say('server finished')), { mayTakeMs: 5_000 });
      say('ready');
      break;
    case 'overdue':
      shutdown.onCleanup('store', () => say('never said'));
      shutdown.onCleanup('server', () => new Promise(() => undefined), { mayTakeMs: 50 });
      say('ready');
      break;
    case 'patient':
      shutdown.onCleanup('slow', async () => {
        say('cleaning');
        await sleep(5000);
        say('never said');
      });
      say('ready');
      break;
    case 'own': {
      shutdown.onCleanup('timer', () => {
        clearInterval(alive);
        say('cleaned');
      });
      shutdown.onCleanup('taken back', () => say('never said'))();
      void shutdown.stop('done', 3);
      break;
    }
    default:
      shutdown.onCleanup('any', () => say('cleaned'));
      if (mode === 'rejects') void Promise.reject(new Error('surprise'));
      else throw new Error('surprise');
  }
}

begin(process.argv[2]);
