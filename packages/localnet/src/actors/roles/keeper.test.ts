import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeEvents, type P0Event } from '@lending/venues';
import { beforeAll, describe, expect, it } from 'vitest';
import { PUBLISH_EVERY_SLOTS } from '#market/move-prices.ts';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { createDice } from '../dice.ts';
import { MarketView, tokenOf } from '../market-view.ts';
import { createPopulation } from '../population.ts';
import { sendTransaction } from '../send-transaction.ts';
import { ORDER_TERMS } from './order-owner.ts';

const START_MS = 1_795_255_000_000;
const ROUNDS = 16;

function roleOf(name: string) {
  const role = createPopulation().find((citizen) => citizen.role.actor.name === name)?.role;
  if (role === undefined) throw new TypeError(`The demo market has no ${name}`);
  return role;
}

const [saver, keeper] = [roleOf('saver of USDC'), roleOf('keeper')];

/** Lets an actor act and returns what the program logged; null when there was nothing to do. */
function act({ ledger }: OpenedLocalnet, role: typeof saver, turn: string): readonly P0Event[] | null {
  const slot = ledger.advanceSlot();
  const instructions = role.act(new MarketView(ledger, slot), createDice(turn));
  if (instructions === null) return null;
  const outcome = sendTransaction(ledger, role.actor, instructions);
  if (outcome.kind !== 'executed') throw new Error(`${turn} did not land: ${JSON.stringify(outcome)}`);
  expect(outcome.result.error, outcome.result.logs.join('\n')).toBeNull();
  return decodeEvents(outcome.result.logs, MARGINFI_PROGRAM).events;
}

describe('a keeper', () => {
  let events: readonly P0Event[];
  let localnet: OpenedLocalnet;
  beforeAll(async () => {
    let nowMs = START_MS;
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, nowMs: () => nowMs });
    const seen: P0Event[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, role] of [saver, saver, keeper, keeper].entries()) {
        seen.push(...(act(localnet, role, `round ${round}, turn ${index}`) ?? []));
      }
      nowMs += Number(ORDER_TERMS.cooldownSeconds) * 1_000;
      for (let slot = 0n; slot < PUBLISH_EVERY_SLOTS; slot += 1n) localnet.ledger.advanceSlot();
    }
    events = seen;
  });

  it('moves a saver’s deposits from bank to bank by his order', () => {
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'rebalanceOrderPlaced')).toHaveLength(1);
    const moved = events.flatMap((event) => (event.kind === 'rebalanced' ? [event.fields] : []));
    expect(moved.length).toBeGreaterThan(2);
    for (const { header, executor, tipEscrowed } of moved) {
      expect([header.marginfiAccount, executor]).toEqual([saver.actor.account, keeper.actor.wallet]);
      expect(tipEscrowed).toBeGreaterThan(0n);
      expect(tipEscrowed).toBeLessThanOrEqual(ORDER_TERMS.keeperTip);
    }
    // A deposit is withdrawn by the keeper for the saver's account only within a rebalance.
    const byKeeper = events.filter(
      (event) => event.kind === 'withdrawn' && event.fields.header.signer === keeper.actor.wallet,
    );
    expect(byKeeper).toHaveLength(moved.length);
  });

  it('fetches its tips, which the moves have earned', () => {
    const settled = events.flatMap((event) => (event.kind === 'rebalanceTipSettled' ? [event.fields] : []));
    const escrowed = events.flatMap((event) => (event.kind === 'rebalanced' ? [event.fields.tipEscrowed] : []));
    expect(settled.length).toBeGreaterThan(1);
    for (const [index, { realized, tipPaid }] of settled.entries()) {
      expect([realized, tipPaid]).toEqual([true, escrowed[index]]);
    }
  });

  it('has nothing more to do then, and keeps no tokens', () => {
    act(localnet, keeper, 'once more');
    expect(act(localnet, keeper, 'and again')).toBeNull();
    const { ledger } = localnet;
    const view = new MarketView(ledger, ledger.slot('processed'));
    const { mint } = view.bank(keeper.mainstay.address);
    expect(view.rebalanceOrder(saver.actor.account, mint)?.banks).toHaveLength(3);
    const kept = view.tokens(keeper.actor.wallet, tokenOf(keeper.mainstay)) - (keeper.tokens.USDC ?? 0n);
    // A base unit of rounding for a move, at most.
    expect(kept).toBeGreaterThanOrEqual(0n);
    expect(kept).toBeLessThanOrEqual(BigInt(ROUNDS));
  });
});
