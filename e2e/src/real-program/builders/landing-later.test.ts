import { type Build, buildAction, type LeverageDeps } from '@lending/api';
import { toUiAmount } from '@lending/domain';
import { isLendingError } from '@lending/errors';
import { createLimitMemory, createSimulator, type OwnedSimulator } from '@lending/transactions';
import type { Signature } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../builders/ask.ts';
import { createDice } from '../../builders/dice.ts';
import { createHistogram } from '../../builders/histogram.ts';
import { touchAll } from '../../builders/touch-all.ts';
import { loadFromEnvironment } from '../elf.ts';
import { type BankName, bankNamed } from '../market.ts';
import { serviceDeps } from '../service-deps.ts';
import { units } from '../world.ts';
import { type BuilderName, type BuilderWorld, openBuilderWorld } from './builder-world.ts';
import { poolSwapFinder } from './pool-swap-finder.ts';
import { marketOf } from './start-market.ts';

/** `LANDING_SEED=7` makes others, `LANDING_COUNT=1000` more. */
const SEED = process.env.LANDING_SEED ?? '20261128';
const COUNT = Number(process.env.LANDING_COUNT ?? '30');
const { program, isMissing } = await loadFromEnvironment();

/** About ten dollars of each but BONK, of which a wallet has little. */
const TEN_DOLLARS = { usdc: '10', sol: '0.06', bonk: '400', jto: '4', wide: '0.0001' } as const;
type Bank = keyof typeof TEN_DOLLARS;
const ALL = Object.keys(TEN_DOLLARS) as readonly Bank[];
/** What each wallet holds and owes, in tens of dollars; every bank is owed, so that interest accrues in all of them. */
const POSITIONS: readonly (readonly [BuilderName, held: readonly Bank[], owed: readonly Bank[]])[] = [
  ['lender', ALL, []],
  ['borrower', ['sol'], ['usdc', 'bonk', 'jto', 'wide']],
  ['newcomer', ['usdc'], ['sol']],
];
const [HELD, OWED] = [2_000n, 50n];

/** The virtual machine meters the program's own code here, whatever our model of it charges. */
describe.skipIf(isMissing)(
  `${COUNT} builds on the real program, each the first of its process (needs MARGINFI_ELF)`,
  () => {
    let world: BuilderWorld;
    let simulator: OwnedSimulator;
    let deps: LeverageDeps;

    beforeAll(async () => {
      world = await openBuilderWorld(program, marketOf(program));
      simulator = createSimulator({ chain: world.chain });
      const swaps = poolSwapFinder(world, 'lender', () => 0n);
      deps = serviceDeps(world, simulator, swaps);
      for (const [name, held, owed] of POSITIONS) {
        for (const bank of held) await land(name, await buildAt(name, 'deposit', bank, HELD));
        for (const bank of owed) await land(name, await buildAt(name, 'borrow', bank, OWED));
      }
    });
    afterAll(async () => {
      await simulator?.close();
      await world?.stop();
    });

    function buildAt(name: BuilderName, kind: Kind, bank: BankName & Bank, times: bigint): Promise<Build> {
      const { address, decimals } = bankNamed(bank);
      const amount = toUiAmount(units(bank, TEN_DOLLARS[bank]) * times, decimals);
      const request = ask(kind, world.signerOf(name).address, { bank: address, amount });
      return buildAction({ ...deps, limits: createLimitMemory() }, request, { callName: 'the test' });
    }

    /** @throws Error that says why a transaction did not land. */
    async function land(name: BuilderName, { transactions }: Build): Promise<void> {
      for (const transaction of transactions) {
        const signature = await world.send(name, transaction);
        const { error, logs } = world.localnet.ledger.transaction(signature as Signature)?.result ?? NOT_LANDED;
        if (error !== null) throw new Error(`${JSON.stringify(error)} ${logs.slice(-3).join(' | ')}`);
      }
    }

    it('land two to ten seconds after they were built', async () => {
      const dice = createDice(`landing ${SEED}`);
      const tally = createHistogram();
      const failures: string[] = [];
      for (let turn = 0; tally.of('built', 'all') < COUNT && turn < COUNT * 2; turn += 1) {
        const [name, held, owed] = dice.pick(POSITIONS);
        const isDebt = owed.length > 0 && dice.chance(50);
        const kind = dice.pick(isDebt ? (['borrow', 'repay'] as const) : (['deposit', 'withdraw'] as const));
        const bank = dice.pick(isDebt ? owed : held);
        touchAll(world.localnet.ledger);
        world.passTime(0n);
        const built = await buildAt(name, kind, bank, 1n).catch((error: unknown) => {
          if (isLendingError(error)) return error;
          throw error;
        });
        if (isLendingError(built)) {
          tally.bump('refused', built.code);
          continue;
        }
        const seconds = dice.between(2, 10);
        world.passTime(BigInt(seconds));
        tally.bump('built', 'all');
        tally.bump('kind', kind);
        tally.bump('bank', bank);
        await land(name, built).catch((error: unknown) => {
          failures.push(
            `${kind} ${bank} after ${seconds} s: ${error instanceof Error ? error.message : String(error)}`,
          );
        });
      }
      process.stdout.write(`${COUNT} builds on the real program, seed ${SEED}\n${tally.lines().join('\n')}\n`);
      expect(failures.slice(0, 5)).toEqual([]);
      expect(tally.of('built', 'all')).toBe(COUNT);
    });
  },
);

const NOT_LANDED = { error: 'not in any block', logs: [] };
type Kind = 'deposit' | 'withdraw' | 'borrow' | 'repay';
