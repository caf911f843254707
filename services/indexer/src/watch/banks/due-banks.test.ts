import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { createDueBanks } from './due-banks.ts';

const [BANK, OTHER, THIRD] = [bankAddress(1), bankAddress(2), bankAddress(3)];

/** What is due, taken out. */
async function take(due: ReturnType<typeof createDueBanks>): Promise<readonly Address[]> {
  let taken: readonly Address[] = [];
  await due.handle(async (banks) => {
    taken = banks;
    return [];
  });
  return taken;
}

describe('createDueBanks', () => {
  it('hands out each bank once', async () => {
    const due = createDueBanks();
    due.add([BANK, OTHER, BANK]);
    expect(await take(due)).toEqual([BANK, OTHER]);
    expect(await take(due)).toEqual([]);
  });

  it('asks nobody when nothing is due', async () => {
    await createDueBanks().handle(() => Promise.reject(new Error('asked')));
  });

  it('keeps what is marked during a reading, and what the reading asks for again', async () => {
    const due = createDueBanks();
    due.add([BANK, OTHER]);
    await due.handle(async () => {
      due.add([THIRD]);
      return [OTHER];
    });
    expect(await take(due)).toEqual([THIRD, OTHER]);
  });

  it('takes back what a failed reading was handed', async () => {
    const due = createDueBanks();
    due.add([BANK]);
    await expect(due.handle(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
    expect(await take(due)).toEqual([BANK]);
  });
});
