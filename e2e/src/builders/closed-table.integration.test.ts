import { buildAction } from '@lending/api';
import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import { createBankCache, type Simulator } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isOwnPool } from './aims/draw.ts';
import { askAt } from './ask.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { landBuild } from './land-build.ts';
import { looksUp } from './looks-up.ts';
import { fund } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

const [table] = MARGINFI_MAIN_LOOKUP_TABLES as [Address];
const DEACTIVATED_AT = 4;
/** What is deactivated can be looked up for so many slots more. */
const SLOTS_TO_CLOSE = 513;

let world: BuildersWorld;
let bank: P0Bank;
let wallet: KeyPairSigner;

describe('builders whose lookup table is closed while the service remembers it', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
    bank = world.banks.find(isOwnPool) as P0Bank;
    wallet = await createDice('closed table').wallet();
    await fund(world.ledger, wallet, 10_000_000_000n, [[bank, baseWorth(world.ledger, bank, 100)]]);
    world.settle();
  });

  afterAll(async () => {
    await world?.stop();
  });

  const states = {
    closed: () => world.ledger.writeAccount(table, undefined),
    deactivated() {
      const state = world.ledger.account(table);
      if (state === undefined) throw new TypeError(`There is no table ${table}`);
      const data = Buffer.from(state.data);
      data.writeBigUInt64LE(world.ledger.slot('processed'), DEACTIVATED_AT);
      world.ledger.writeAccount(table, { ...state, data: new Uint8Array(data) });
      for (let slot = 0; slot <= SLOTS_TO_CLOSE; slot += 1) world.ledger.advanceSlot();
      world.pass(1);
    },
    'no table any more': () => {
      const state = world.ledger.account(wallet.address);
      world.ledger.writeAccount(table, state);
    },
  };

  let restore: () => void;
  beforeEach(() => {
    const before = world.ledger.account(table);
    restore = () => world.ledger.writeAccount(table, before);
  });
  afterEach(() => {
    restore();
    world.settle();
  });

  it.each(Object.entries(states))(
    'go on without one that is %s, in the build that meets it and after',
    async (_, end) => {
      const deps = { ...world.deps, banks: createBankCache() };
      const deposit = async () => {
        const request = askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 1));
        return buildAction(deps, request, { callName: 'the test' });
      };
      const [first, usual] = [await deposit(), await deposit()];
      end();
      world.settle();
      const met = await deposit();
      const after = await deposit();
      expect((await landBuild(world.ledger, after, wallet)).failure).toBeNull();
      expect([first, usual, met, after].map(({ transactions }) => looksUp(transactions, table))).toEqual([
        true,
        true,
        false,
        false,
      ]);
      expect(after.waves).toBe(usual.waves);
    },
  );

  it('go on without one that only the simulation does not find, in the build that meets it alone', async () => {
    const banks = createBankCache();
    const deposit = async (simulator = world.deps.simulator) => {
      const request = askAt('deposit', wallet.address, bank, baseWorth(world.ledger, bank, 1));
      return buildAction({ ...world.deps, banks, simulator }, request, { callName: 'the test' });
    };
    const behind: Simulator = {
      async simulate(transactions, watch, options) {
        if (!looksUp(transactions, table)) return world.deps.simulator.simulate(transactions, watch, options);
        const slot = world.ledger.slot('confirmed');
        const reason = 'AddressLookupTableNotFound';
        return { kind: 'failed', slot, index: 0, transactions: [], error: null, reason, logs: [], by: 'node' };
      },
    };
    const builds = [await deposit(), await deposit(behind), await deposit()];
    expect(builds.map(({ transactions }) => looksUp(transactions, table))).toEqual([true, false, true]);
  });
});
