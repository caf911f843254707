import { isHaltRunning } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { decodeEvents, decodeMarginfiAccount, type P0Event } from '@lending/venues';
import { beforeEach, describe, expect, it } from 'vitest';
import { PUBLISH_EVERY_SLOTS } from '#market/move-prices.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { type OpenedLocalnet, type OpenLocalnetOptions, openLocalnet } from '#open-localnet.ts';
import { createDice } from '../dice.ts';
import { MarketView, tokenOf } from '../market-view.ts';
import { createPopulation } from '../population.ts';
import type { Role } from '../role.ts';
import { sendTransaction } from '../send-transaction.ts';
import { ORDER_TERMS } from './order-owner.ts';

const ROLES = createPopulation().map(({ role }) => role);

let ledger: OpenedLocalnet['ledger'];
let nowMs: number;
/** A market of which nothing moves but by the test. */
async function open(options: Partial<OpenLocalnetOptions> = {}): Promise<void> {
  nowMs = 1_795_255_000_000;
  ({ ledger } = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, nowMs: () => nowMs, ...options }));
}
beforeEach(() => open());

function roleOf(name: string): Role {
  const role = ROLES.find(({ actor }) => actor.name === name);
  if (role === undefined) throw new TypeError(`The demo market has no ${name}`);
  return role;
}

/** Lets an actor act in the next slot, which must succeed, and returns what the program says of it; null when there was nothing to do. */
function act({ actor, act: decide }: Role, turn: string): readonly P0Event[] | null {
  const instructions = decide(new MarketView(ledger, ledger.advanceSlot()), createDice(turn));
  if (instructions === null) return null;
  const outcome = sendTransaction(ledger, actor, instructions);
  if (outcome.kind !== 'executed') throw new Error(`${turn} did not land: ${JSON.stringify(outcome)}`);
  expect(outcome.result.error, outcome.result.logs.join('\n')).toBeNull();
  return decodeEvents(outcome.result.logs, MARGINFI_PROGRAM).events;
}

const kindsOf = (events: readonly P0Event[] | null) => (events ?? []).map(({ kind }) => kind);

describe('a looper', () => {
  const loopers = ROLES.map(({ actor }) => actor.name).filter((name) => name.startsWith('looper'));
  it.each(loopers)('%s is in and out again at every other turn, however shallow its pools', (name) => {
    const turns = Array.from({ length: 13 }, (_, turn) =>
      kindsOf(act(roleOf(name), `turn ${turn}`))
        .filter((kind) => kind !== 'interestAccrued')
        .join(' '),
    );
    const [opened, ...loops] = turns;
    expect(opened).toBe('accountCreated deposited');
    expect(loops).toEqual(loops.map((_, index) => (index % 2 === 0 ? 'borrowed deposited' : 'withdrawn repaid')));
  });
});

describe('a mover', () => {
  it('lends, takes it out, moves from account to account, and never loses its way', () => {
    const mover = roleOf('mover of USDC');
    const events = Array.from({ length: 60 }, (_, turn) => act(mover, `turn ${turn}`) ?? expect.unreachable()).flat();
    expect(kindsOf(events)).toEqual(
      expect.arrayContaining(['accountCreated', 'deposited', 'withdrawn', 'accountTransferred']),
    );
    const moves = events.flatMap((event) =>
      event.kind === 'accountTransferred'
        ? [{ from: event.fields.oldAccount, to: event.fields.header.marginfiAccount }]
        : [],
    );
    expect(moves.length).toBeGreaterThan(5);
    const address = mover.actor.account;
    expect(moves.map(({ from }) => from)).toEqual([address, ...moves.slice(0, -1).map(({ to }) => to)]);
    const data = ledger.account(address)?.data ?? new Uint8Array();
    const account = decodeMarginfiAccount({ address, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
    expect(account).toMatchObject({ migratedTo: moves[0]?.to, balances: [], flags: { isDisabled: true } });
  });
});

describe('the crank', () => {
  const SLOT_MS = 400;
  /** Before USDS falls, which is 9,000 slots after a multiple of 13,500. */
  const BEFORE_SLOTS = 20;
  /** The dip of two minutes, a halt that begins in it and is remembered for twice as long, and a little. */
  const SLOTS = BEFORE_SLOTS + 4 * 300;

  it('shows the price of USDS to its bank, whose breaker halts it while the price is down, and forgets it after', async () => {
    await open({ startSlot: 13_500n * 33_333n + 9_000n - BigInt(BEFORE_SLOTS) });
    const [crank, row] = [roleOf('crank'), P0_BANKS.find(({ breaker }) => breaker !== undefined)];
    if (row === undefined) throw new TypeError('The demo market has no breaker');
    const seen: [slot: number, kind: string][] = [];
    let haltedSlots = 0;
    for (let index = 0; index < SLOTS; index += 1) {
      nowMs += SLOT_MS;
      // Once in two seconds, all that the crank looks after in turn.
      const kinds = index % 5 === 0 ? kindsOf(act(crank, `slot ${index}`)) : [];
      if (index % 5 !== 0) ledger.advanceSlot();
      seen.push(...kinds.map((kind): [number, string] => [index, kind]));
      const { breaker } = new MarketView(ledger, ledger.slot('processed')).bank(row.address);
      if (breaker !== null && isHaltRunning(breaker.state, ledger.unixTimestamp)) haltedSlots += 1;
    }
    const firstOf = (wanted: string) => seen.find(([, kind]) => kind === wanted)?.[0];
    const tripped = firstOf('circuitBreakerTripped') ?? 0;
    expect(tripped).toBeGreaterThan(BEFORE_SLOTS);
    expect(tripped).toBeLessThan(BEFORE_SLOTS + 300);
    expect(firstOf('circuitBreakerCleared')).toBeGreaterThan(tripped + 300);
    expect(seen.filter(([, kind]) => kind === 'circuitBreakerTripped')).toHaveLength(1);
    // 120 seconds.
    expect(haltedSlots).toBeGreaterThan(295);
    expect(haltedSlots).toBeLessThan(305);
  });
});

describe('a keeper', () => {
  const ROUNDS = 16;
  const [saver, keeper] = [roleOf('saver of USDC'), roleOf('keeper')];

  it('moves a saver’s deposits from bank to bank by his order, fetches its tips and keeps no tokens', () => {
    const events: P0Event[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [index, role] of [saver, saver, keeper, keeper].entries())
        events.push(...(act(role, `round ${round}, turn ${index}`) ?? []));
      nowMs += Number(ORDER_TERMS.cooldownSeconds) * 1_000;
      for (let slot = 0n; slot < PUBLISH_EVERY_SLOTS; slot += 1n) ledger.advanceSlot();
    }
    expect(kindsOf(events).filter((kind) => kind === 'rebalanceOrderPlaced')).toHaveLength(1);
    const moved = events.flatMap((event) => (event.kind === 'rebalanced' ? [event.fields] : []));
    expect(moved.length).toBeGreaterThan(2);
    for (const { header, executor, tipEscrowed } of moved) {
      expect([header.marginfiAccount, executor]).toEqual([saver.actor.account, keeper.actor.wallet]);
      expect(tipEscrowed).toBeGreaterThan(0n);
      expect(tipEscrowed).toBeLessThanOrEqual(ORDER_TERMS.keeperTip);
    }
    // A deposit is withdrawn by the keeper for the saver's account only within a rebalance.
    const isKeepers = (event: P0Event) =>
      event.kind === 'withdrawn' && event.fields.header.signer === keeper.actor.wallet;
    expect(events.filter(isKeepers)).toHaveLength(moved.length);
    const settled = events.flatMap((event) => (event.kind === 'rebalanceTipSettled' ? [event.fields] : []));
    expect(settled.length).toBeGreaterThan(1);
    expect(settled.map(({ realized, tipPaid }) => [realized, tipPaid])).toEqual(
      moved.slice(0, settled.length).map(({ tipEscrowed }) => [true, tipEscrowed]),
    );

    act(keeper, 'once more');
    expect(act(keeper, 'and again')).toBeNull();
    const view = new MarketView(ledger, ledger.slot('processed'));
    const { mint } = view.bank(keeper.mainstay.address);
    expect(view.rebalanceOrder(saver.actor.account, mint)?.banks).toHaveLength(3);
    const kept = view.tokens(keeper.actor.wallet, tokenOf(keeper.mainstay)) - (keeper.tokens.USDC ?? 0n);
    // A base unit of rounding for a move, at most.
    expect(kept).toBeGreaterThanOrEqual(0n);
    expect(kept).toBeLessThanOrEqual(BigInt(ROUNDS));
  });
});
