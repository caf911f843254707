import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type FirstContact, readFirstContact } from './first-contact-file.ts';

const REPORT: FirstContact = {
  format: 1,
  at: '2026-11-28T12:00:00Z',
  program: 'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
  deploy_slot: '449000000',
  version: '0.1.12',
  genesis: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  verdict: 'trusted_except',
  exceptions: ['premium'],
  relaxed: ['9.3'],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-contact-'));
});

async function write(content: unknown): Promise<string> {
  const path = join(folder, 'first-contact.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('readFirstContact', () => {
  it('reads what a run wrote', async () => {
    expect(await readFirstContact(await write(REPORT))).toEqual(REPORT);
  });

  it('is null where there is no file', async () => {
    expect(await readFirstContact(join(folder, 'none.json'))).toBeNull();
  });

  it.each([
    ['{', /it is no JSON/],
    ['null', /the whole: /],
    [{ ...REPORT, deploy_slot: 449000000 }, /deploy_slot: /],
    [{ ...REPORT, verdict: 'fine' }, /verdict: /],
    [{ ...REPORT, format: 2 }, /format: /],
    [{ ...REPORT, rpc: 'https://node.example' }, /rpc/],
  ])('says in one line what is wrong with %j', async (content, reason) => {
    const refusal = await readFirstContact(await write(content)).catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: 'RUNTIME__FIRST_CONTACT_MALFORMED', message: expect.stringMatching(reason) });
    expect((refusal as Error).message).not.toContain('\n');
  });

  it('says so where the path is a folder', async () => {
    await expect(readFirstContact(folder)).rejects.toThrow(/cannot be read \(EISDIR\)/);
  });
});
