import { createTurns, type LeverageDeps } from '@lending/api';
import { NONE_RELAXED } from '@lending/domain';
import { MARGINFI_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { createLogger } from '@lending/runtime';
import { createLimitMemory, type Simulator, type SwapFinder } from '@lending/transactions';
import { createLedgerTables } from '../builders/ledger-tables.ts';
import { GROUP } from './addresses.ts';
import type { BuilderWorld } from './builders/builder-world.ts';

/** Slots pass here when they are told to; their pace is not measured. */
const SLOT_MICROS = 400_000n;

/** What the service's own builders need, on a node that runs the real program. No oracle signs here: prices are fresh or stay stale. */
export function serviceDeps(world: BuilderWorld, simulator: Simulator, swaps: SwapFinder): LeverageDeps {
  return {
    chain: world.chain,
    tables: createLedgerTables(world.localnet.ledger),
    simulator,
    cranker: {
      crank() {
        throw new TypeError('No price was to be stale');
      },
    },
    banks: world.cache,
    limits: createLimitMemory(),
    slotTime: async () => SLOT_MICROS,
    turns: createTurns(),
    program: MARGINFI_PROGRAM,
    // The code under test writes banks of 1,864 bytes, as long as those of 0.1.11.
    programWatch: { version: async () => '0.1.11', confirm: async () => undefined, deploySlot: async () => null },
    relaxed: () => NONE_RELAXED,
    audits: { get: async () => new Map() },
    overruledUntil: () => null,
    group: GROUP,
    lookupTables: [],
    maxMicroLamportsPerUnit: 1_000_000n,
    tipLamports: 10_000n,
    logger: createLogger({ level: 'silent', name: 'real program' }),
    now: Date.now,
    swaps,
    swapBounds: { slippageBps: 50, maxPriceImpactE18: 10n ** 16n, maxDeviationE18: 3n * 10n ** 16n },
    swapPrograms: [TOKEN_PROGRAM],
  };
}
