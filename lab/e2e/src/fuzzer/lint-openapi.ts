import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';

interface LintReport {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** What a linter objects to in an OpenAPI document, errors and warnings, a line each; empty when nothing. */
export async function lintOpenApi(document: unknown): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const printed = await new Promise<string>((resolve) => {
      const linter = join(ROOT, 'node_modules', '.bin', 'redocly');
      // It tells nobody what it lints, nor asks for a newer one.
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const args = ['lint', file, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000'];
      execFile(
        process.execPath,
        [linter, ...args],
        { cwd: folder, env, maxBuffer: 1 << 26 },
        (_error, stdout, stderr) => resolve(stdout === '' ? stderr : stdout),
      );
    });
    return reportOf(printed).problems.map(
      ({ severity, ruleId, message, location: [place] }) => `${severity} ${ruleId}: ${message} at ${place?.pointer}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function reportOf(printed: string): LintReport {
  try {
    return JSON.parse(printed) as LintReport;
  } catch {
    throw new Error(`the linter did not run: ${printed.slice(-2_000)}`);
  }
}
