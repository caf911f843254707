import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { walkLogs } from '../walk-logs.ts';
import { decodeEvents } from './decode-events.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures', 'transactions');

const readJson = (name: string) => JSON.parse(readFileSync(resolve(FOLDER, name), 'utf8'));
const logsOf = (name: string): string[] => readJson(`${name}.json`).meta.logMessages;

describe.skipIf(!existsSync(FOLDER))('recorded logs (FIXTURES_DIR)', () => {
  it.each([
    [
      'marginfi-add-bank-2z-legacy',
      'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
      ['bankCreated', 'bankOracleConfigured'],
    ],
    ['marginfi-add-bank-kamino-usdc', 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA', ['bankCreated']],
  ])('of %s hold these events', (name, program, kinds) => {
    const { events, ...rest } = decodeEvents(logsOf(name), program);
    expect(events.map((event) => event.kind)).toEqual(kinds);
    expect(rest).toEqual({ isTruncated: false, isFailed: false, skipped: 0, unknown: 0 });
    const expected = readJson(`${name}.expected.json`).events[0].data;
    expect(events[0]?.fields).toMatchObject({ bank: expected.bank, mint: expected.mint });
  });

  it('of a swap attribute its one data line to the program between its calls', () => {
    const { lines, started, isTruncated } = walkLogs(logsOf('mainnet-meta-cpi'));
    const { invocations, programDataLines } = readJson('mainnet-meta-cpi.expected.json');
    const top = invocations.filter((each: { depth: number }) => each.depth === 1);
    expect(started).toEqual(top.map((each: { program: string }) => each.program));
    const data = lines.filter((line) => line.kind === 'data');
    expect(data).toHaveLength(programDataLines);
    expect(data[0]).toMatchObject({ programId: started[3], depth: 1, started: 4 });
    expect(isTruncated).toBe(false);
  });
});
