import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeEvents, decodeMarginfiAccount } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { openLocalnet } from '#open-localnet.ts';
import { createDice } from '../dice.ts';
import { MarketView } from '../market-view.ts';
import { createPopulation } from '../population.ts';
import { sendTransaction } from '../send-transaction.ts';

describe('a mover', () => {
  it('lends, takes it out, moves from account to account, and never loses its way', async () => {
    const { ledger } = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
    const mover = createPopulation().find(({ role }) => role.actor.name.startsWith('mover'))?.role;
    if (mover === undefined) throw new Error('The demo market has no mover');
    const moves: { readonly from: string; readonly to: string }[] = [];
    const kinds = new Set<string>();
    for (let turn = 0; turn < 60; turn += 1) {
      const slot = ledger.advanceSlot();
      const instructions = mover.act(new MarketView(ledger, slot), createDice(`turn ${turn}`));
      const outcome = instructions === null ? null : sendTransaction(ledger, mover.actor, instructions);
      if (outcome?.kind !== 'executed') throw new Error(`turn ${turn} did not land`);
      expect(outcome.result.error, outcome.result.logs.join('\n')).toBeNull();
      for (const { kind, fields } of decodeEvents(outcome.result.logs, MARGINFI_PROGRAM).events) {
        kinds.add(kind);
        if (kind === 'accountTransferred') moves.push({ from: fields.oldAccount, to: fields.header.marginfiAccount });
      }
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining(['accountCreated', 'deposited', 'withdrawn', 'accountTransferred']),
    );
    expect(moves.length).toBeGreaterThan(5);
    expect(moves.map(({ from }) => from)).toEqual([mover.actor.account, ...moves.slice(0, -1).map(({ to }) => to)]);
    const [first] = moves;
    const address = mover.actor.account;
    const state = ledger.account(address);
    const account = decodeMarginfiAccount(
      { address, owner: MARGINFI_PROGRAM, data: state?.data ?? new Uint8Array() },
      MARGINFI_PROGRAM,
    );
    expect(account).toMatchObject({ migratedTo: first?.to, balances: [], flags: { isDisabled: true } });
  });
});
