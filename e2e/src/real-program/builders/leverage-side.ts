import { computeHealth, type Health } from '@lending/domain';
import { createModelEngine } from '@lending/localnet';
import { lendingAccountStartFlashloan } from '@lending/programs';
import {
  type CompiledTransaction,
  createSimulator,
  findSizedRefusal,
  type LendingAction,
  type OwnedSimulator,
  type SimulatorKind,
  type SizedLeverage,
} from '@lending/transactions';
import { toRiskBank, toRiskPriceOnceRefreshed } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { RealProgram } from '../elf.ts';
import { fairDifferences, fairView } from '../fair-bytes.ts';
import { MARKET } from '../market.ts';
import { type Refusal, refusalOf } from '../program-error.ts';
import {
  type BuildTerms,
  type Built,
  build,
  buildLeverage,
  readHoldings,
  type Simulated,
  simulateAndLand,
} from './build.ts';
import { type BuilderName, type BuilderWorld, openBuilderWorld } from './builder-world.ts';
import { marketOf } from './start-market.ts';

/** What became of a list of transactions. */
export interface LeverageResult {
  readonly refusal: Refusal | null;
  /** Accounts that did not end as simulated, or that moved although the list failed. */
  readonly differences: readonly string[];
  readonly watch: readonly Address[];
  readonly by: SimulatorKind;
  /** What our checks call it, before anything is simulated; null where they expect it to pass. */
  readonly foreseen: string | null;
  readonly logs: readonly string[];
}

export type LeverageTerms = BuildTerms & {
  readonly opens?: boolean;
  /** Where the start of the flash loan is made to say that its end stands, counted from where it does. */
  readonly endIndexOff?: number;
};

/** One of the two programs, the real one or our model of it, on a chain of its own. */
export interface LeverageSide {
  readonly world: BuilderWorld;
  act(name: BuilderName, action: LendingAction | null): Promise<LeverageResult>;
  leverage(name: BuilderName, sized: SizedLeverage, terms?: LeverageTerms): Promise<LeverageResult>;
  /** Whether it would pass; nothing lands. */
  attempt(name: BuilderName, sized: SizedLeverage): Promise<string | null>;
  healthOf(name: BuilderName): Promise<Health>;
  close(): Promise<void>;
}

/** The model behind the same doors. */
export const MODEL: RealProgram = {
  engine: createModelEngine(),
  elf: new Uint8Array(),
  isOld: false,
  has: () => true,
};

export async function openLeverageSide(program: RealProgram): Promise<LeverageSide> {
  const world = await openBuilderWorld(program, marketOf(program));
  const simulator = createSimulator({ chain: world.chain });
  return {
    world,
    async act(name, action) {
      const built = await build(world, name, action);
      return { ...(await run({ world, simulator }, name, built)), foreseen: null };
    },
    async leverage(name, sized, { endIndexOff = 0, ...terms } = {}) {
      const built = await buildLeverage(world, name, sized, terms);
      const foreseen = findSizedRefusal(built.state, sized)?.code ?? null;
      const transactions = built.transactions.map((each) => moveEndIndex(each, endIndexOff));
      return { ...(await run({ world, simulator }, name, { ...built, transactions })), foreseen };
    },
    async attempt(name, sized) {
      const { transactions } = await buildLeverage(world, name, sized);
      return refusedBy(await simulator.simulate(transactions, []))?.name ?? null;
    },
    healthOf: (name) => healthOf(world, name),
    async close() {
      await simulator.close();
      await world.stop();
    },
  };
}

/** Simulates and lands; what failed in the simulation is landed too, to see that it leaves everything as it was. */
async function run(
  { world, simulator }: { readonly world: BuilderWorld; readonly simulator: OwnedSimulator },
  name: BuilderName,
  built: Built,
): Promise<Omit<LeverageResult, 'foreseen'>> {
  const { watch } = built.plan;
  const before = new Map(watch.map((address) => [address, world.account(address)]));
  const { outcome, differences } = await simulateAndLand(world, name, built, simulator);
  const refusal = refusedBy(outcome);
  const logs = outcome.kind === 'failed' ? outcome.logs : [];
  const told = { refusal, watch, logs, by: outcome.by };
  if (refusal === null) return { ...told, differences };
  for (const transaction of built.transactions) await world.send(name, transaction);
  const payer = world.signerOf(name).address;
  const moved = watch.filter(
    (address) => address !== payer && fairView(before.get(address)) !== fairView(world.account(address)),
  );
  return { ...told, differences: moved.map((address) => `${address} moved`) };
}

function refusedBy(outcome: Simulated): Refusal | null {
  if (outcome.kind === 'passed') return null;
  const { error, reason, logs } = outcome;
  return refusalOf({ error: error === null ? reason : ({ InstructionError: error } as never), logs });
}

function moveEndIndex(transaction: CompiledTransaction, off: number): CompiledTransaction {
  const wire = Buffer.from(transaction.wire);
  const start = lendingAccountStartFlashloan.discriminator;
  const at = wire.indexOf(Uint8Array.from(start));
  if (off === 0 || at < 0) return transaction;
  const position = at + start.length;
  wire.writeBigUInt64LE(wire.readBigUInt64LE(position) + BigInt(off), position);
  return { ...transaction, wire: new Uint8Array(wire) };
}

export async function healthOf(world: BuilderWorld, name: BuilderName): Promise<Health> {
  const { account, held } = await readHoldings(world, name);
  return computeHealth(
    (account.state?.balances ?? []).map(({ bank: address, assetShares, liabilityShares }) => {
      const live = held.get(address);
      if (live === undefined) throw new TypeError(`The bank ${address} was not read`);
      const { bank, oracle } = live;
      return {
        bank: toRiskBank(bank, null, null),
        price: toRiskPriceOnceRefreshed(bank, oracle),
        assetShares,
        liabilityShares,
        premium: 0n,
      };
    }),
  );
}

/** Where two chains that did the same came to different bytes, in what was written and in all banks. */
export function differencesBetween(
  one: LeverageSide,
  other: LeverageSide,
  written: readonly Address[],
): readonly string[] {
  const banks = [...MARKET.values()].flatMap(({ address, vaults }) => [
    address,
    ...Object.values(vaults).map((vault) => vault.address),
  ]);
  return [...new Set([...written, ...banks])].flatMap((address) => {
    const [left, right] = [one.world.account(address), other.world.account(address)];
    if (fairView(left) === fairView(right)) return [];
    return [`${address}: ${fairDifferences(left, right).join('; ')}`];
  });
}
