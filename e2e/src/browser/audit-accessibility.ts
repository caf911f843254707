import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Violations of WCAG 2.2 A and AA and of axe's best practices that keep somebody out: serious and critical ones, a line per element.
 * `rules` are all of axe's, or those few that what changed since the last audit can break.
 */
export async function auditAccessibility(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // Evaluated, not added as a script: the page's own policy admits no foreign one.
  await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) };
  const results = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults;
  if (results.passes.length === 0) throw new Error('nothing was audited: not one rule found anything to look at');
  return results.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map((node) => `${impact} ${id}: ${help} at ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
    );
}
