import { join } from 'node:path';
import { useDatabase } from '@lending/store/testing';
import { ROOT } from '@lending/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NEEDING_FIXTURES, NOT_APPLYING, NOT_RUN } from '../src/mcp-conformance/applicability.ts';
import { FIXTURES } from '../src/mcp-conformance/fixtures.ts';
import { type ConformanceServer, openServer } from '../src/mcp-conformance/open-server.ts';
import { renderResultsPage } from '../src/mcp-conformance/results-page.ts';
import { listScenarios, RUNS, type RunResults, runSuite } from '../src/mcp-conformance/run-suite.ts';

const RUN_NAMES = Object.keys(RUNS) as (keyof typeof RUNS)[];
/** Each scenario has 30 s of its own, and most are done in milliseconds. */
const PATIENCE_MS = 300_000;

const database = useDatabase();
let alone: ConformanceServer;
let withFixtures: ConformanceServer;
const results = new Map<string, RunResults>();

describe('the official MCP conformance suite', { timeout: PATIENCE_MS }, () => {
  beforeAll(async () => {
    [alone, withFixtures] = await Promise.all([
      openServer(database.db),
      openServer(database.db, { mcpExtension: FIXTURES }),
    ]);
  });
  afterAll(() => Promise.all([alone?.stop(), withFixtures?.stop()]));

  it.each(RUN_NAMES)('[mcp-conformance] passes all that applies of %s', async (name) => {
    const outcome = await runSuite(RUNS[name], withFixtures.mcpUrl, Object.keys(NOT_APPLYING));
    expect(outcome.exitCode, outcome.output).toBe(0);
    results.set(name, outcome.results);
  });

  it.each(RUN_NAMES)('passes what asks for no fixture of %s with nothing added to it', async (name) => {
    const { exitCode, output } = await runSuite(RUNS[name], alone.mcpUrl, [
      ...Object.keys(NOT_APPLYING),
      ...NEEDING_FIXTURES,
    ]);
    expect(exitCode, output).toBe(0);
  });

  it('ends as docs/mcp-conformance.md says', async () => {
    expect([...results.keys()]).toEqual(RUN_NAMES);
    await expect(renderResultsPage([...results])).toMatchFileSnapshot(join(ROOT, 'docs', 'mcp-conformance.md'));
  });

  it('leaves out no scenario without saying so', async () => {
    const listed = [...(await listScenarios('stable')), ...(await listScenarios('newest'))];
    expect(listed.length).toBeGreaterThan(80);
    const run = new Set([...results.values()].flatMap((found) => [...found.keys()]));
    expect(listed.filter((scenario) => !run.has(scenario) && !Object.hasOwn(NOT_RUN, scenario))).toEqual([]);
  });
});
