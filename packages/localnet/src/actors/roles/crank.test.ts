import { isHaltRunning } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeEvents } from '@lending/venues';
import { expect, it } from 'vitest';
import { P0_BANKS } from '#market/p0-banks.ts';
import { openLocalnet } from '#open-localnet.ts';
import { createDice } from '../dice.ts';
import { MarketView } from '../market-view.ts';
import { createPopulation } from '../population.ts';
import { sendTransaction } from '../send-transaction.ts';

const START_MS = 1_795_255_000_000;
const SLOT_MS = 400;
/** Before USDS falls, which is 9,000 slots after a multiple of 13,500. */
const BEFORE_SLOTS = 20;
const START_SLOT = 13_500n * 33_333n + 9_000n - BigInt(BEFORE_SLOTS);
/** The dip of two minutes, a halt that begins in it and is remembered for twice as long, and a little. */
const SLOTS = BEFORE_SLOTS + 4 * 300;

it('shows the price of USDS to its bank, whose breaker halts it while the price is down, and forgets it after', async () => {
  let nowMs = START_MS;
  const localnet = await openLocalnet({
    ...{ genesis: { kind: 'demo' }, slotMs: null, startSlot: START_SLOT },
    nowMs: () => nowMs,
  });
  const { ledger } = localnet;
  const crank = createPopulation().find(({ role }) => role.actor.name === 'crank')?.role;
  const row = P0_BANKS.find(({ breaker }) => breaker !== undefined);
  if (crank === undefined || row === undefined) throw new TypeError('The demo market has no crank, or no breaker');
  const seen: [slot: number, kind: string][] = [];
  let haltedSlots = 0;
  for (let index = 0; index < SLOTS; index += 1) {
    nowMs += SLOT_MS;
    const slot = ledger.advanceSlot();
    const view = new MarketView(ledger, slot);
    const { state } = view.bank(row.address).breaker ?? { state: { tier: 0, haltEndedAt: 0n } };
    if (isHaltRunning(state, ledger.unixTimestamp)) haltedSlots += 1;
    // Once in two seconds, all that the crank looks after in turn.
    if (index % 5 !== 0) continue;
    const instructions = crank.act(view, createDice(`slot ${index}`));
    const outcome = instructions === null ? null : sendTransaction(ledger, crank.actor, instructions);
    if (outcome?.kind !== 'executed') throw new Error('The crank did not land');
    expect(outcome.result.error, outcome.result.logs.join('\n')).toBeNull();
    for (const { kind } of decodeEvents(outcome.result.logs, MARGINFI_PROGRAM).events) seen.push([index, kind]);
  }
  const [[tripped] = [], [cleared] = []] = ['circuitBreakerTripped', 'circuitBreakerCleared'].map(
    (wanted) => seen.find(([, kind]) => kind === wanted) ?? [],
  );
  expect(tripped).toBeGreaterThan(BEFORE_SLOTS);
  expect(tripped).toBeLessThan(BEFORE_SLOTS + 300);
  expect(cleared).toBeGreaterThan((tripped as number) + 300);
  expect(seen.filter(([, kind]) => kind === 'circuitBreakerTripped')).toHaveLength(1);
  // 120 seconds.
  expect(haltedSlots).toBeGreaterThan(295);
  expect(haltedSlots).toBeLessThan(305);
});
