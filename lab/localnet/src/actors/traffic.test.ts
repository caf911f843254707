import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { createModelEngine } from '#engine/model-engine.ts';
import { openLocalnet } from '#open-localnet.ts';
import { DEFAULT_PROGRAMS } from '#programs/default-programs.ts';

/** Slots in which people act, on a chain whose lending program may be missing; what was reported. */
async function live(slots: number, hasProgram: boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  const programs = DEFAULT_PROGRAMS.filter(({ programId }) => hasProgram || programId !== MARGINFI_PROGRAM);
  const { ledger } = await openLocalnet({
    genesis: { kind: 'demo' },
    engine: createModelEngine(programs),
    slotMs: null,
    transactionsPerSecond: 10,
    report: (line) => lines.push(line),
  });
  for (let slot = 0; slot < slots; slot += 1) ledger.advanceSlot();
  return lines;
}

describe('traffic', () => {
  it('says once that hardly anything succeeds, with the reason, when the program does not take what people send', async () => {
    expect(await live(20, false)).toEqual([
      expect.stringMatching(/hardly anything the people of the demo market send succeeds.+UnsupportedProgramId/),
    ]);
  });

  it('is silent while people succeed', async () => {
    expect(await live(12, true)).toEqual([]);
  });
});
