import { startProcess } from '@lending/testing';
import { askOften, describeTurns, ratioOf, type Turns } from './load/ask-often.ts';
import { openBanks } from './load/open-banks.ts';
import { argumentOf } from './measure/config.ts';
import { spreadOf } from './measure/statistics.ts';
import { type Figure, figure, printResult } from './report/result.ts';

/**
 * `GET /v1/banks` with 120 banks over connections that stay open, against Fastify sending the same bytes from memory, in turns; each a
 * process of its own, the api as services run it: with its database, which changes, and with its rate limiter, at limits nobody reaches.
 * Then the same answer compressed, and to who has it already. Prints a JSON line. `--seconds 1 --rounds 3` for a quick look.
 */
const GOAL = { of: 'ratio', is: 'atLeast', value: 0.8 } as const;
const SECONDS = argumentOf('--seconds', 3);
const ROUNDS = argumentOf('--rounds', 5);
const CONNECTIONS = argumentOf('--connections', 10);

const world = await openBanks();
try {
  const url = `${world.baseUrl}/v1/banks`;
  const memory = await startProcess({
    entry: 'lab/bench/src/fastify-from-memory.ts',
    arguments: [url],
    env: {},
    readyLine: /(http:\/\/127\.0\.0\.1:\d+)/,
  });
  try {
    const ours = { url, pid: world.api.pid };
    const theirs = (path: string) => ({ url: `${memory.baseUrl}${path}`, pid: memory.child.pid });
    const options = { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS };
    const plain = await askOften(
      { ours, text: theirs('/text'), buffer: theirs('/buffer'), sameHeaders: theirs('/same-headers') },
      options,
    );
    const known = { 'if-none-match': '*' };
    const shorter = { ...options, rounds: Math.ceil(ROUNDS / 2) };
    const notModified = await askOften(
      {
        ours: { ...ours, headers: known, status: 304 },
        memory: { ...theirs('/not-modified'), headers: known, status: 304 },
      },
      shorter,
    );
    const accepted = (headers: Readonly<Record<string, string>>) =>
      askOften({ ours: { ...ours, headers }, memory: { ...theirs('/compressed'), headers } }, shorter);
    const gzip = await accepted({ 'accept-encoding': 'gzip' });
    const brotli = await accepted({ 'accept-encoding': 'br' });
    const figures = [
      perSecond('against a string', plain.ours, plain.text, true),
      perSecond('against a buffer', plain.ours, plain.buffer, true),
      perSecond('against a buffer with the same headers', plain.ours, plain.sameHeaders, false),
      processorTime('processor time of an answer', plain.ours, plain.buffer),
      perSecond('to who has it already: 304', notModified.ours, notModified.memory, false),
      perSecond('compressed by gzip', gzip.ours, gzip.memory, false),
      perSecond('compressed by brotli', brotli.ours, brotli.memory, false),
      processorTime('processor time of an answer compressed by gzip', gzip.ours, gzip.memory),
    ];
    const contenders = { ...plain, notModified: notModified.ours, gzip: gzip.ours, brotli: brotli.ours };
    printResult('GET /v1/banks', figures, {
      connections: CONNECTIONS,
      contenders: Object.fromEntries(Object.entries(contenders).map(([name, turns]) => [name, describeTurns(turns)])),
    });
  } finally {
    await memory.stop();
  }
} finally {
  await world.stop();
}

function perSecond(what: string, ours: Turns, yardstick: Turns, isJudged: boolean): Figure {
  return figure({
    goal: 'banks',
    what,
    unit: 'requests/s',
    ours: spreadOf(ours.map((turn) => turn.perSecond)),
    yardstick: spreadOf(yardstick.map((turn) => turn.perSecond)),
    ratio: ratioOf(ours, yardstick),
    bound: isJudged ? GOAL : null,
  });
}

/** The ratio as of speed: how much of an answer the yardstick's time is. */
function processorTime(what: string, ours: Turns, yardstick: Turns): Figure {
  return figure({
    goal: 'banks',
    what,
    unit: 'ms',
    ours: spreadOf(ours.map((turn) => turn.processorMs)),
    yardstick: spreadOf(yardstick.map((turn) => turn.processorMs)),
    ratio: spreadOf(ours.map((turn, round) => (yardstick[round]?.processorMs ?? Number.NaN) / turn.processorMs)),
  });
}
