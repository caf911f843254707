import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runTokenCommand } from '@lending/api/tokens';
import { createStore } from '@lending/store';
import { type AskOptions, askOften, type Contender, describeTurns, type Turns } from './load/ask-often.ts';
import { openBanks } from './load/open-banks.ts';
import { argumentOf } from './measure/config.ts';
import { spreadOf } from './measure/statistics.ts';
import { type Figure, figure, printResult } from './report/result.ts';

/**
 * What it costs to do more with a request, beside the same request without it, in turns: to record it, for a caller with a token, and to
 * trace it, with every span sent to a collector that takes all. One request at a time, so that its time is told. Prints a JSON line.
 * `--seconds 1 --rounds 3` for a quick look.
 */
const OPTIONS: AskOptions = {
  rounds: argumentOf('--rounds', 5),
  seconds: argumentOf('--seconds', 2),
  connections: 1,
};

let spansBytes = 0;
const collector = createServer((request, response) => {
  request.on('data', (piece: Buffer) => {
    spansBytes += piece.length;
  });
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
const world = await openBanks();
try {
  const { port } = collector.address() as AddressInfo;
  const traced = await world.startApi({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const token = await issueToken(world.connectionString);
  const [subject] = world.subjects;
  // One that is answered from memory, and one that asks the tables.
  const paths = {
    'a page of one bank': '/v1/banks?limit=1',
    'the positions of a wallet': `/v1/account/${subject?.authority}`,
  };
  const figures: Figure[] = [];
  const contenders: Record<string, unknown> = {};
  for (const [what, path] of Object.entries(paths)) {
    const plain: Contender = { url: `${world.baseUrl}${path}`, pid: world.api.pid };
    const turns = await askOften(
      {
        plain,
        recorded: { ...plain, headers: { authorization: `Bearer ${token}` } },
        traced: { url: `${traced.baseUrl}${path}`, pid: traced.pid },
      },
      OPTIONS,
    );
    figures.push(
      ...cost(`${what}, recorded`, turns.recorded, turns.plain),
      ...cost(`${what}, traced`, turns.traced, turns.plain),
    );
    for (const [name, each] of Object.entries(turns)) contenders[`${what}, ${name}`] = describeTurns(each);
  }
  printResult('what recording and tracing cost', figures, { contenders, spansMb: Math.round(spansBytes / 1e6) });
} finally {
  await world.stop();
  collector.close();
  collector.closeAllConnections();
}

function cost(what: string, turns: Turns, without: Turns): readonly Figure[] {
  const of = (name: 'p50Ms' | 'processorMs', words: string) => {
    const [ours, plain] = [turns, without].map((each) => each.map((turn) => turn[name])) as [number[], number[]];
    return figure({
      goal: null,
      what: `${what}: ${words}, beside neither`,
      unit: 'ms',
      ours: spreadOf(ours),
      yardstick: spreadOf(plain),
      ratio: spreadOf(ours.map((ms, round) => ms / (plain[round] ?? Number.NaN))),
    });
  };
  return [of('p50Ms', 'p50 of its time'), of('processorMs', "the api's processor time")];
}

async function issueToken(connectionString: string): Promise<string> {
  const store = createStore({ connectionString });
  try {
    const [token = ''] = (await runTokenCommand(store.db, ['create', 'bench'])).result;
    return token;
  } finally {
    await store.close();
  }
}
