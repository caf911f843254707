import { startProcess } from '@lending/testing';
import { askOften, describeTurns, ratioOf } from './load/ask-often.ts';
import { BANK_QUESTIONS, openBanks, recordCalls } from './load/open-banks.ts';
import { argumentOf } from './measure/config.ts';
import { spreadOf } from './measure/statistics.ts';
import { type Figure, figure, printResult } from './report/result.ts';

/**
 * `svc_get_banks` over MCP against a tool of the SDK's own that sends the same bytes from memory, in turns; each a process of its own. The
 * requests are those that the official clients of both generations make, recorded once and sent again over connections that stay open.
 * Prints a JSON line. `--seconds 1 --rounds 3` for a quick look.
 */
const GOAL = { of: 'ratio', is: 'atLeast', value: 0.8 } as const;
const SECONDS = argumentOf('--seconds', 2);
const ROUNDS = argumentOf('--rounds', 5);
const CONNECTIONS = argumentOf('--connections', 10);
const CLIENTS = { modern: 'a client of 2026', legacy: 'a client of 2025' } as const;

const world = await openBanks();
try {
  const url = `${world.baseUrl}/mcp`;
  const memory = await startProcess({
    entry: 'lab/bench/src/mcp-from-memory.ts',
    arguments: [url],
    env: {},
    readyLine: /(http:\/\/127\.0\.0\.1:\d+)/,
  });
  try {
    const figures: Figure[] = [];
    const contenders: Record<string, unknown> = {};
    for (const [what, question] of Object.entries(BANK_QUESTIONS)) {
      const calls = await recordCalls(new URL(url), question);
      for (const [client, name] of Object.entries(CLIENTS)) {
        const call = { method: 'POST', ...calls[client as keyof typeof calls] } as const;
        const turns = await askOften(
          {
            ours: { url, pid: world.api.pid, ...call },
            echo: { url: `${memory.baseUrl}/mcp`, pid: memory.child.pid, ...call },
          },
          { rounds: ROUNDS, seconds: SECONDS, connections: CONNECTIONS },
        );
        figures.push(
          figure({
            goal: 'mcp',
            what: `${what}, ${name}`,
            unit: 'calls/s',
            ours: spreadOf(turns.ours.map(({ perSecond }) => perSecond)),
            yardstick: spreadOf(turns.echo.map(({ perSecond }) => perSecond)),
            ratio: ratioOf(turns.ours, turns.echo),
            bound: GOAL,
          }),
        );
        contenders[`${what}, ${name}`] = { ours: describeTurns(turns.ours), echo: describeTurns(turns.echo) };
      }
    }
    printResult('svc_get_banks over MCP', figures, { connections: CONNECTIONS, contenders });
  } finally {
    await memory.stop();
  }
} finally {
  await world.stop();
}
