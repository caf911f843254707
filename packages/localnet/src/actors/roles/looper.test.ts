import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeEvents } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { openLocalnet } from '#open-localnet.ts';
import { createDice } from '../dice.ts';
import { MarketView } from '../market-view.ts';
import { createPopulation } from '../population.ts';
import { sendTransaction } from '../send-transaction.ts';

const LOOPERS = createPopulation()
  .map(({ role }) => role)
  .filter(({ actor }) => actor.name.startsWith('looper'));

describe('a looper', () => {
  it.each(LOOPERS.map((role) => [role.actor.name, role] as const))(
    '%s is in and out again at every other turn, however shallow its pools',
    async (_name, { actor, act }) => {
      const { ledger } = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
      const turns = Array.from({ length: 13 }, (_, turn) => {
        const slot = ledger.advanceSlot();
        const instructions = act(new MarketView(ledger, slot), createDice(`turn ${turn}`));
        if (instructions === null) return 'nothing';
        sendTransaction(ledger, actor, instructions);
        ledger.advanceSlot();
        const { result } = ledger.blocks.at(-1)?.transactions[0] ?? {};
        const { events } = decodeEvents(result?.logs ?? [], MARGINFI_PROGRAM);
        return events
          .map(({ kind }) => kind)
          .filter((kind) => kind !== 'interestAccrued')
          .join(' ');
      });
      const [opened, ...loops] = turns;
      expect(opened).toBe('accountCreated deposited');
      expect(loops).toEqual(loops.map((_, index) => (index % 2 === 0 ? 'borrowed deposited' : 'withdrawn repaid')));
    },
  );
});
