import { MARGINFI_MAIN_LOOKUP_TABLES } from '@lending/programs';
import { createBankCache, type Simulator } from '@lending/transactions';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { attempt, build } from './attempt.ts';
import { landBuild, looksUp } from './land-build.ts';
import { isOwnPool, useScene } from './scene.ts';

const [table] = MARGINFI_MAIN_LOOKUP_TABLES as [Address];
const DEACTIVATED_AT = 4;
/** What is deactivated can be looked up for so many slots more. */
const SLOTS_TO_CLOSE = 513;

const scene = useScene('closed table', attempt);
let bank: P0Bank;
let wallet: KeyPairSigner;
let restore: () => void;

describe('builders whose lookup table is closed while the service remembers it', () => {
  beforeAll(async () => {
    bank = scene.world.banks.find(isOwnPool) as P0Bank;
    wallet = await scene.walletWith(10_000_000_000n, [bank, 100]);
    scene.world.settle();
  });

  beforeEach(() => {
    const before = scene.ledger.account(table);
    restore = () => scene.ledger.writeAccount(table, before);
  });

  afterEach(() => {
    restore();
    scene.world.settle();
  });

  const states = {
    closed: () => scene.ledger.writeAccount(table, undefined),
    deactivated() {
      const { ledger, world } = scene;
      const state = ledger.account(table);
      if (state === undefined) throw new TypeError(`There is no table ${table}`);
      const data = Buffer.from(state.data);
      data.writeBigUInt64LE(ledger.slot('processed'), DEACTIVATED_AT);
      ledger.writeAccount(table, { ...state, data: new Uint8Array(data) });
      for (let slot = 0; slot <= SLOTS_TO_CLOSE; slot += 1) ledger.advanceSlot();
      world.pass(1);
    },
    'no table any more': () => scene.ledger.writeAccount(table, scene.ledger.account(wallet.address)),
  };

  it.each(Object.entries(states))(
    'go on without one that is %s, in the build that meets it and after',
    async (_, end) => {
      const deposit = depositing();
      const [first, usual] = [await deposit(), await deposit()];
      end();
      scene.world.settle();
      const [met, after] = [await deposit(), await deposit()];
      expect((await landBuild(scene.ledger, after, wallet)).failure).toBeNull();
      const lookups = [first, usual, met, after].map(({ transactions }) => looksUp(transactions, table));
      expect(lookups).toEqual([true, true, false, false]);
      expect(after.waves).toBe(usual.waves);
    },
  );

  it('go on without one that only the simulation does not find, in the build that meets it alone', async () => {
    const deposit = depositing();
    const behind: Simulator = {
      async simulate(transactions, ...rest) {
        if (!looksUp(transactions, table)) return scene.world.deps.simulator.simulate(transactions, ...rest);
        const [slot, reason] = [scene.ledger.slot('confirmed'), 'AddressLookupTableNotFound'];
        return { kind: 'failed', slot, index: 0, transactions: [], error: null, reason, logs: [], by: 'node' };
      },
    };
    const builds = [await deposit(), await deposit(behind), await deposit()];
    expect(builds.map(({ transactions }) => looksUp(transactions, table))).toEqual([true, false, true]);
  });
});

/** A service that remembers nothing yet. */
function depositing() {
  const banks = createBankCache();
  const request = askAt('deposit', wallet.address, bank, scene.worth(bank, 1));
  return (simulator = scene.world.deps.simulator) => build({ ...scene.world.deps, banks, simulator }, request);
}
