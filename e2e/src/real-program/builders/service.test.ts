import { type Build, buildLeverage, type LeverageDeps, type LeverageRequest } from '@lending/api';
import { toUiAmount } from '@lending/domain';
import { createSimulator, type OwnedSimulator } from '@lending/transactions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFromEnvironment, type RealProgram } from '../elf.ts';
import { type BankName, bankNamed } from '../market.ts';
import { serviceDeps } from '../service-deps.ts';
import { units } from '../world.ts';
import { build } from './build.ts';
import { type BuilderWorld, openBuilderWorld } from './builder-world.ts';
import { balancesOf } from './holdings.ts';
import { healthOf, MODEL } from './leverage-side.ts';
import type { Pair } from './leverage-terms.ts';
import { NAME } from './leverage-twins.ts';
import { poolSwapFinder } from './pool-swap-finder.ts';
import { marketOf } from './start-market.ts';

const { program, isMissing } = await loadFromEnvironment();

const LENT: readonly (readonly [BankName, string])[] = [
  ['usdc', '50000'],
  ['sol', '5000'],
  ['wide', '10'],
];
const ROWS: readonly { readonly pair: Pair; readonly principal: string; readonly leverage: string }[] = [
  { pair: ['usdc', 'sol'], principal: '1000', leverage: '3.17' },
  { pair: ['sol', 'usdc'], principal: '10', leverage: '2' },
  { pair: ['usdc', 'wide'], principal: '1000', leverage: '1.1' },
];

describe.skipIf(isMissing)('the whole builder on the real program, and on the model (needs MARGINFI_ELF)', () => {
  const services: Service[] = [];

  beforeEach(async () => {
    for (const each of [program, MODEL]) services.push(await openService(each));
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
  });

  it.each(ROWS)('loops and closes as the envelope says: $pair.0 and $pair.1 at $leverage', async (row) => {
    const [deposit, borrow] = row.pair;
    await bothLand(loopOf(row.pair, row.principal, row.leverage));
    const supplied = (units(deposit, row.principal) * BigInt(Math.round(Number(row.leverage) * 100))) / 100n;
    for (const { world } of services) {
      const held = await balancesOf(world, NAME);
      expect(held.find(({ bank }) => bank === deposit)?.asset).toBe(supplied);
    }
    for (const { world } of services) world.passTime(3_600n);
    const close = { ...asked(row.pair), kind: 'close_position', createsAccount: false, leverage: null } as const;
    const [{ world }] = services as [Service];
    const owed = (await balancesOf(world, NAME)).find(({ bank }) => bank === borrow)?.debt ?? 0n;
    await bothLand({ ...close, amount: toUiAmount(owed / 4n, bankNamed(borrow).decimals) });
    await bothLand({ ...close, amount: 'all' });
    expect((await balancesOf(world, NAME)).map(({ bank }) => bank)).toEqual([deposit]);
  });

  it('hands nothing out where the swap gives less than it promised, whatever the wallet would pay for it', async () => {
    for (const service of services) service.short = 1n;
    await bothRefuse('ACTION__SWAP_UNAVAILABLE', loopOf(['usdc', 'sol'], '1000', '2'));
  });

  it('refuses a hundredth more than the maximum of the pair', async () => {
    await bothRefuse('ACTION__LEVERAGE_EXCEEDED', loopOf(['usdc', 'sol'], '1000', '3.18'));
  });

  async function bothRefuse(code: string, request: Asked): Promise<void> {
    for (const service of services) await expect(service.build(request)).rejects.toMatchObject({ code });
  }

  /** Builds on both, expects the same envelope but for what a transaction costs in units, and lands it as it says. */
  async function bothLand(request: Asked): Promise<void> {
    const builds: Build[] = [];
    for (const service of services) builds.push(await service.build(request));
    const [real, model] = builds.map(comparable);
    expect(real).toEqual(model);
    for (const [index, { world }] of services.entries()) {
      const { transactions, postHealth } = builds[index] as Build;
      for (const transaction of transactions) await world.send(NAME, transaction);
      expect(await healthOf(world, NAME)).toEqual(postHealth.health);
    }
  }
});

type Asked = Omit<LeverageRequest, 'authority'>;

interface Service {
  readonly world: BuilderWorld;
  /** What the pool keeps for itself of what it promised, base units. */
  short: bigint;
  build(request: Asked): Promise<Build>;
  stop(): Promise<void>;
}

async function openService(of: RealProgram): Promise<Service> {
  const world = await openBuilderWorld(of, marketOf(of));
  const simulator: OwnedSimulator = createSimulator({ chain: world.chain });
  const deps: LeverageDeps = serviceDeps(
    world,
    simulator,
    poolSwapFinder(world, NAME, () => service.short),
  );
  for (const [bank, amount] of LENT) {
    const deposit = { kind: 'deposit', bank: bankNamed(bank).address, amount: units(bank, amount) } as const;
    for (const transaction of (await build(world, 'lender', deposit)).transactions)
      await world.send('lender', transaction);
  }
  const service: Service = {
    world,
    short: 0n,
    build: (request) =>
      buildLeverage(
        deps,
        { ...request, authority: world.signerOf(NAME).address },
        { callName: 'svc_loop', aggregatorKeys: { jupiter: null, dflow: null } },
      ),
    async stop() {
      await simulator.close();
      await world.stop();
    },
  };
  return service;
}

function loopOf(pair: Pair, amount: string, leverage: string): Asked {
  return { ...asked(pair), kind: 'loop', createsAccount: true, amount, leverage };
}

function asked([deposit, borrow]: Pair) {
  return {
    account: null,
    policy: { minHealthRatioAfter: null, maxSlippageBps: null, maxPriceImpactPct: null },
    priorityFee: 0n,
    version: 0,
    accountIndex: null,
    depositBank: bankNamed(deposit).address,
    borrowBank: bankNamed(borrow).address,
    surplus: 'wallet',
    pinnedSwaps: [],
  } as const;
}

/** Units are the program's own, what they cost, and whether they have to be tried; so is the moment. */
function comparable({ transactions, unitsConsumed, blockhash, slot, fees, waves, ...rest }: Build) {
  return { ...rest, count: transactions.length, rent: fees.rent };
}
