import { NEEDING_FIXTURES, NOT_APPLYING, NOT_RUN } from './applicability.ts';
import type { RunResults } from './run-suite.ts';

/** The page of `docs/` that says how the suite went; nothing in it changes from run to run. */
export function renderResultsPage(runs: readonly (readonly [string, RunResults])[]): string {
  const scenarios = [...new Set(runs.flatMap(([, results]) => [...results.keys()]))].toSorted();
  const leftOut = { ...NOT_APPLYING, ...NOT_RUN };
  const applying = scenarios.filter((scenario) => !Object.hasOwn(leftOut, scenario));
  const columns = runs.map(([name]) => name);
  return `# The official MCP conformance suite

Checks passed of those made, where a scenario belongs to the revision. The suite leaves out checks of what a server does not offer.
"With fixtures": the scenario calls tools, resources or prompts by names of the suite's own, which test code registers beside the service's;
all others pass on the service as it is, too. \`lab/e2e/scenarios/mcp-conformance.test.ts\` runs the suite and compares this page, and
\`npx vitest run lab/e2e/scenarios/mcp-conformance -u\` writes it anew. The releases of \`@modelcontextprotocol/conformance\` are pinned in
\`lab/e2e/package.json\`.

| scenario | ${columns.join(' | ')} | with fixtures |
|---|${columns.map(() => '---|').join('')}---|
${applying.map((scenario) => `| \`${scenario}\` | ${runs.map(([, results]) => cellOf(results.get(scenario))).join(' | ')} | ${NEEDING_FIXTURES.includes(scenario) ? 'yes' : ''} |`).join('\n')}

## What does not apply

The service keeps no session: every request is answered by itself, so that any instance answers any request. It asks its caller nothing
back, and what it lists changes with the program alone.

| scenario | needs |
|---|---|
${rowsOf(leftOut)}
`;
}

function cellOf(result: ReturnType<RunResults['get']>): string {
  if (result === undefined) return '';
  const { passed, failed, warned, skipped } = result;
  const counted = `${passed}/${passed + failed + warned}`;
  return skipped === 0 ? counted : `${counted}, ${skipped} left out`;
}

function rowsOf(reasons: Readonly<Record<string, string>>): string {
  return Object.entries(reasons)
    .map(([scenario, reason]) => `| \`${scenario}\` | ${reason} |`)
    .join('\n');
}
