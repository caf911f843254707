import { access, constants, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSettings } from './config.ts';
import { resultOf } from './first-contact/files.ts';
import { type Arguments, readArguments, USAGE } from './read-arguments.ts';
import { prepareFolder, recordContact } from './record/record-contact.ts';
import { renderReport, verdictWords } from './report/report.ts';
import { runSmoke } from './run-smoke.ts';
import { unlessAborted } from './unless-aborted.ts';

const FAILED = 1;
const USED_WRONGLY = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const stopping = new AbortController();
// A Ctrl-C comes more than once: from the terminal, and from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort(new Error(`stopped by ${signal}`)));
process.once('disconnect', () => stopping.abort(new Error('the launcher is gone')));

const given = readOrComplain(process.argv.slice(2));
if (given !== null) await run(given);

function readOrComplain(args: readonly string[]): Arguments | null {
  try {
    if (args.includes('--help')) {
      say(USAGE);
      return null;
    }
    return readArguments(args);
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    process.exitCode = USED_WRONGLY;
    return null;
  }
}

async function run(given: Arguments): Promise<void> {
  try {
    // First: a report that cannot be kept is told before minutes are spent on it.
    await mkdir(given.out, { recursive: true });
    await access(given.out, constants.W_OK);
    if (given.record !== null) await prepareFolder(given.record);
    const { report, contacted, place } = await runSmoke(given, readSettings(), say, stopping.signal);
    const path = join(given.out, report.at.replaceAll(/[:.]/g, '-'));
    await writeFile(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`);
    await writeFile(`${path}.md`, renderReport(report));
    await contacted.file.remove();
    const result = resultOf(report);
    if (result !== null) {
      const file = resolve(given.out, 'first-contact.json');
      await writeFile(file, `${JSON.stringify(result, null, 2)}\n`);
      say(`The service reads the verdict with FIRST_CONTACT_FILE=${file}`);
    }
    say(`The report is ${path}.md: ${verdictWords(report)}`);
    if (given.record !== null)
      await unlessAborted(recordContact(place, contacted, report, given.record, say), stopping.signal);
    if (report.outcome === 'failed' || report.verdict === 'not_trusted') process.exitCode = FAILED;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    process.exitCode = FAILED;
  }
  // Neither what a check that was given up still waits for, nor the launcher's channel, holds it up.
  process.exit();
}
