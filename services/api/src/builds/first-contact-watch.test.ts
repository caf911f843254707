import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@lending/runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProgramStatus } from '#records/program-status.ts';
import { type FirstContactWatch, type FirstContactWatchOptions, watchFirstContact } from './first-contact-watch.ts';

const PROGRAM = 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA';
const REPORT = {
  format: 1,
  at: '2026-11-28T12:00:00Z',
  program: PROGRAM,
  deploy_slot: '449000000',
  version: '0.1.12',
  genesis: 'genesis',
  verdict: 'trusted_except',
  exceptions: ['premium'],
  relaxed: [],
};
const RUN = {
  kind: 'run',
  at: REPORT.at,
  verdict: 'trusted_except',
  exceptions: ['premium'],
  deploy_slot: 449_000_000,
};

let path: string;
let deploySlot: number | null;
let lines: string[];
let watch: FirstContactWatch | null;

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'first-contact-')), 'first-contact.json');
  deploySlot = 449_000_000;
  lines = [];
  watch = null;
});
afterEach(() => watch?.close());

const write = (content: unknown) => writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));

async function open(changes: Partial<FirstContactWatchOptions> = {}): Promise<FirstContactWatch> {
  const destination = { write: (line: string) => void lines.push(line) };
  const programWatch = { latest: () => ({ deploy_slot: deploySlot }) as ProgramStatus };
  const logger = createLogger({ level: 'warn', name: 'test', destination });
  watch = await watchFirstContact({
    path,
    source: 'chain',
    program: PROGRAM,
    programWatch,
    logger,
    everyMs: 5,
    ...changes,
  });
  return watch;
}

describe('watchFirstContact', () => {
  it('shows the run whose report there is when it starts', async () => {
    await write(REPORT);
    expect((await open()).latest()).toEqual(RUN);
  });

  it.each([
    ['is another program', { program: '11111111111111111111111111111111' }],
    ['was deployed before', { deploy_slot: '448999999' }],
  ])('is void where what it ran against %s', async (_what, changes) => {
    await write({ ...REPORT, ...changes });
    expect((await open()).latest()).toBeNull();
  });

  it('is void after the next deployment, and while none is known', async () => {
    await write(REPORT);
    const { latest } = await open();
    deploySlot = 449_000_001;
    expect(latest()).toBeNull();
    deploySlot = null;
    expect(latest()).toBeNull();
  });

  it('takes a file that comes, changes and goes', async () => {
    const { latest } = await open();
    expect(latest()).toBeNull();
    await write(REPORT);
    await vi.waitFor(() => expect(latest()).toEqual(RUN));
    await write({ ...REPORT, verdict: 'not_trusted', exceptions: ['rates', 'prices'] });
    await vi.waitFor(() => expect(latest()).toMatchObject({ verdict: 'not_trusted' }));
    await rm(path);
    await vi.waitFor(() => expect(latest()).toBeNull());
    expect(lines).toEqual([]);
  });

  it('says once what is wrong with a file, and verifies nothing by it', async () => {
    await write('{');
    const { latest } = await open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(latest()).toBeNull();
    expect(lines).toEqual([expect.stringContaining('program.contact.fail')]);
    expect(lines[0]).toContain(path);
  });

  it('verifies nothing by a report that was overwritten with something else', async () => {
    await write(REPORT);
    const { latest } = await open();
    await write('{');
    await vi.waitFor(() => expect(latest()).toBeNull());
  });

  it('is the local chain on the local chain, whatever file there is', async () => {
    await write(REPORT);
    expect((await open({ source: 'localnet' })).latest()).toMatchObject({ kind: 'local_chain', verdict: null });
  });

  it('relaxes what the run that stands relaxes, and nothing once the program was deployed again or the file is gone', async () => {
    await write({ ...REPORT, relaxed: ['end_flashloan_gate', 'zero_max_age_is_zero'] });
    const { relaxed } = await open();
    expect([...relaxed()]).toEqual(['end_flashloan_gate', 'zero_max_age_is_zero']);
    deploySlot = 449_000_001;
    expect(relaxed().size).toBe(0);
    deploySlot = 449_000_000;
    await write(REPORT);
    await vi.waitFor(() => expect(relaxed().size).toBe(0));
    await write({ ...REPORT, relaxed: ['end_flashloan_gate'] });
    await vi.waitFor(() => expect(relaxed().size).toBe(1));
    await rm(path);
    await vi.waitFor(() => expect(relaxed().size).toBe(0));
  });

  it('says once which rules of a report it does not know, and relaxes the others', async () => {
    await write({ ...REPORT, relaxed: ['of_a_later_version', 'end_flashloan_gate', 'another'] });
    const { relaxed } = await open();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...relaxed()]).toEqual(['end_flashloan_gate']);
    expect(lines).toEqual([expect.stringContaining('program.contact.unknown')]);
    expect(lines[0]).toContain('"rules":["of_a_later_version","another"]');
  });

  it('relaxes nothing on the local chain, nor where no file is named', async () => {
    await write({ ...REPORT, relaxed: ['end_flashloan_gate'] });
    expect((await open({ source: 'localnet' })).relaxed().size).toBe(0);
    expect((await open({ path: undefined })).relaxed().size).toBe(0);
  });

  it('is null where no file is named', async () => {
    expect((await open({ path: undefined })).latest()).toBeNull();
  });
});
