import type { ProgramVersion } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { createDice } from '#actors/dice.ts';
import { RandomMarket } from '../native/random-market.ts';
import { TouchAudit } from './testing/touch-audit.ts';

/** Transactions on one market, one after the other; then it begins again. */
const PER_MARKET = 100;
const { AUDIT_COUNT = '600', AUDIT_SEED = '1' } = process.env;
const WRITABLE = 1;

describe.each(['0.1.10', '0.1.12'] satisfies ProgramVersion[])('the audit beside the model of %s', (version) => {
  it('finds no difference in anything that random transactions touch', async () => {
    const touches = new TouchAudit();
    const opened = await RandomMarket.open(version, createDice(AUDIT_SEED));
    for (let first = 0; first < Number(AUDIT_COUNT); first += PER_MARKET) {
      const market = opened.fork();
      for (let number = first; number < first + PER_MARKET; number += 1) {
        const dice = createDice(`${AUDIT_SEED}/${number}`);
        while (dice.roll(6) === 0) market.stir(dice);
        const { payer, instructions } = market.next(dice);
        const { chain } = market;
        const before = new Map(chain.accounts);
        const { error } = chain.send(payer, ...instructions);
        if (error !== null) continue;
        const written = instructions.flatMap(({ accounts }) =>
          accounts.filter(({ role }) => role & WRITABLE).map(({ address }) => address),
        );
        touches.audit({ before, after: chain.accounts, written, context: chain.context, version }, `${number}`);
      }
    }
    console.log([...touches.compared].map(([what, times]) => `${times}\t${what}`).join('\n'));
    expect(touches.differences).toEqual([]);
  });
});
