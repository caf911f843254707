import { tokenAccountLayout } from '@lending/programs';
import { createSimulator, findActionRefusal, type LendingAction, type OwnedSimulator } from '@lending/transactions';
import type { Address } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bootstrap } from '../bootstrap.ts';
import { Chain } from '../chain.ts';
import { loadFromEnvironment } from '../elf.ts';
import { fairDifferences } from '../fair-bytes.ts';
import { madeMarket } from '../made-market.ts';
import { type BankName, bankNamed, START_TIME } from '../market.ts';
import { units, worldAccounts } from '../world.ts';
import { build, readState, simulateAndLand } from './build.ts';
import { type BuilderName, type BuilderWorld, openBuilderWorld } from './builder-world.ts';
import { marketOf } from './start-market.ts';

const { program, isMissing } = await loadFromEnvironment();

describe.skipIf(isMissing)('what the builders make, on the real program (needs MARGINFI_ELF)', () => {
  let world: BuilderWorld;
  let simulator: OwnedSimulator;

  beforeEach(async () => {
    world = await openBuilderWorld(program, marketOf(program));
    simulator = createSimulator({ chain: world.chain });
    for (const bank of ['usdc', 'sol', 'bonk', 'jto'] as const)
      await lands('lender', { kind: 'deposit', bank, amount: '5000' });
  });
  afterEach(async () => {
    await simulator.close();
    await world.stop();
  });

  it.runIf(program.isOld)('sets up with its own admin instructions the very accounts our codecs write', () => {
    const chain = new Chain(program.engine, { accounts: worldAccounts(), unixTimestamp: START_TIME });
    bootstrap(chain);
    for (const [address, made] of madeMarket())
      expect(fairDifferences(chain.account(address), made), address).toEqual([]);
  });

  it('opens an account and does nothing else', async () => {
    const before = lamportsOf('newcomer');
    const { fee, rent } = await lands('newcomer', null);
    expect(lamportsOf('newcomer')).toBe(before - fee - rent);
  });

  it('opens an account with the first deposit', async () => {
    const before = await balancesOf('newcomer', 'usdc');
    await lands('newcomer', { kind: 'deposit', bank: 'usdc', amount: '123.456789' });
    expect(await balancesOf('newcomer', 'usdc')).toBe(before - units('usdc', '123.456789'));
  });

  it('withdraws a part, and all with the interest of a day', async () => {
    await lands('borrower', { kind: 'deposit', bank: 'sol', amount: '900' });
    await lands('borrower', { kind: 'borrow', bank: 'usdc', amount: '4000' });
    const before = await balancesOf('lender', 'usdc');
    await lands('lender', { kind: 'withdraw', bank: 'usdc', amount: '100.5' });
    expect(await balancesOf('lender', 'usdc')).toBe(before + units('usdc', '100.5'));
    world.passTime(86_400n);
    await lands('borrower', { kind: 'repay', bank: 'usdc', amount: 'all' });
    await lands('lender', { kind: 'withdraw', bank: 'usdc', amount: 'all' });
    expect(await balancesOf('lender', 'usdc')).toBeGreaterThan(before + units('usdc', '5000'));
  });

  it('borrows and repays a part on collateral priced by Pyth and by Switchboard', async () => {
    await lands('borrower', { kind: 'deposit', bank: 'jto', amount: '10000' });
    await lands('borrower', { kind: 'deposit', bank: 'sol', amount: '50' });
    const before = await balancesOf('borrower', 'usdc');
    await lands('borrower', { kind: 'borrow', bank: 'usdc', amount: '3000' });
    await lands('borrower', { kind: 'repay', bank: 'usdc', amount: '1000' });
    await lands('borrower', { kind: 'withdraw', bank: 'jto', amount: '7.25' });
    expect(await balancesOf('borrower', 'usdc')).toBe(before + units('usdc', '2000'));
  });

  it('borrows what the bank takes a fee of, and repays all', async () => {
    await lands('borrower', { kind: 'deposit', bank: 'usdc', amount: '1000' });
    const before = await balancesOf('borrower', 'bonk');
    await lands('borrower', { kind: 'borrow', bank: 'bonk', amount: '1000' });
    expect(await balancesOf('borrower', 'bonk')).toBe(before + units('bonk', '1000'));
    await lands('borrower', { kind: 'repay', bank: 'bonk', amount: 'all' });
    // A debt is repaid rounded up.
    expect(await balancesOf('borrower', 'bonk')).toBe(before - (units('bonk', '1000') * 13n) / 10_000n - 1n);
  });

  it('wraps SOL that goes in and unwraps SOL that comes out', async () => {
    await lands('borrower', { kind: 'deposit', bank: 'usdc', amount: '100000' });
    await movesSol('borrower', { kind: 'deposit', bank: 'sol', amount: '12.5' }, '-12.5');
    await movesSol('borrower', { kind: 'withdraw', bank: 'sol', amount: '2.25' }, '2.25');
    await movesSol('borrower', { kind: 'withdraw', bank: 'sol', amount: 'all' }, '10.25');
    await movesSol('borrower', { kind: 'borrow', bank: 'sol', amount: '3' }, '3');
    await movesSol('borrower', { kind: 'repay', bank: 'sol', amount: '1.5' }, '-1.5');
    await movesSol('borrower', { kind: 'repay', bank: 'sol', amount: 'all' }, '-1.5');
  });

  it('leaves SOL that its owner keeps wrapped where it is', async () => {
    await world.setTokens('borrower', 'sol', units('sol', '7'));
    await lands('borrower', { kind: 'deposit', bank: 'usdc', amount: '100000' });
    const before = lamportsOf('borrower');
    const { fee } = await lands('borrower', { kind: 'borrow', bank: 'sol', amount: '3' });
    expect(lamportsOf('borrower')).toBe(before - fee + units('sol', '3'));
    expect(await balancesOf('borrower', 'sol')).toBe(units('sol', '7'));
  });

  describe('what is refused beforehand', () => {
    beforeEach(async () => {
      await lands('lender', { kind: 'deposit', bank: 'tight', amount: '2000' });
      await lands('borrower', { kind: 'deposit', bank: 'sol', amount: '40' });
    });

    it.each([
      { what: 'a loan beyond the health', kind: 'borrow', bank: 'usdc' },
      { what: 'a loan beyond the limit of the bank', kind: 'borrow', bank: 'tight', collateral: '400' },
      { what: 'a deposit beyond the limit of the bank', kind: 'deposit', bank: 'tight' },
      { what: 'a withdrawal beyond the health', kind: 'withdraw', bank: 'sol', debt: '1000' },
    ] as const)('$what passes at the amount that is named, and fails with one unit more', async (request) => {
      const { kind, bank } = request;
      if ('collateral' in request)
        await lands('borrower', { kind: 'deposit', bank: 'sol', amount: request.collateral });
      if ('debt' in request) await lands('borrower', { kind: 'borrow', bank: 'usdc', amount: request.debt });
      const most = await namedMost({ kind, bank, amount: '1000000' });
      const oneMore = { kind, bank: bankNamed(bank).address, amount: most + 1n };
      expect(findActionRefusal(await readState(world, 'borrower', oneMore), oneMore)).not.toBeNull();
      const forced = await build(world, 'borrower', oneMore);
      expect(await simulator.simulate(forced.transactions, [])).toMatchObject({ kind: 'failed' });
      const atMost = { kind, bank: bankNamed(bank).address, amount: most };
      expect(findActionRefusal(await readState(world, 'borrower', atMost), atMost)).toBeNull();
      const { outcome, differences } = await simulateAndLand(
        world,
        'borrower',
        await build(world, 'borrower', atMost),
        simulator,
      );
      expect({ kind: outcome.kind, differences }).toEqual({ kind: 'passed', differences: [] });
    });

    it('a loan on a price of Pyth that grew stale fails, with what the program calls it', async () => {
      world.passTime(120n, ['usdc']);
      const request = actionOf({ kind: 'borrow', bank: 'usdc', amount: '1' });
      const refusal = findActionRefusal(await readState(world, 'borrower', request), request);
      expect(refusal?.code).toBe('ORACLE__PRICE_STALE');
      const forced = await build(world, 'borrower', request);
      const outcome = await simulator.simulate(forced.transactions, []);
      expect(outcome.kind === 'failed' ? outcome.logs.join('\n') : '').toMatch(/StaleOracle|PythPushStalePrice/);
    });

    /** The amount that passes, as the refusal of too much names it. */
    async function namedMost(request: Request): Promise<bigint> {
      const action = actionOf(request);
      const refusal = findActionRefusal(await readState(world, 'borrower', action), action);
      const [, most] = Object.entries(refusal?.context ?? {}).find(([name]) => name.startsWith('max_')) ?? [];
      expect(most, `${refusal}`).toBeDefined();
      return units(request.bank, `${most}`);
    }
  });

  describe('lists of transactions, on a node that simulates no bundles', () => {
    beforeEach(async () => {
      const fault = { kind: 'error', code: -32_601, message: 'Method not found', methods: ['simulateBundle'] } as const;
      world.localnet.setFault(fault);
      await lands('borrower', { kind: 'deposit', bank: 'usdc', amount: '100000' });
    });

    it.each([
      { kind: 'deposit', bank: 'sol', amount: '12.5' },
      { kind: 'borrow', bank: 'sol', amount: '3' },
    ] as const)('land as they were simulated in this process: $kind', async (request) => {
      const terms = { isSplit: true, isOld: program.isOld };
      const built = await build(world, 'borrower', actionOf(request), terms);
      expect(built.transactions.length).toBeGreaterThan(1);
      const { outcome, differences } = await simulateAndLand(world, 'borrower', built, simulator);
      expect(outcome.kind, outcome.kind === 'failed' ? outcome.logs.join('\n') : '').toBe('passed');
      expect({ by: outcome.by, differences }).toEqual({ by: 'in_process', differences: [] });
    });

    it('fail in this process as the program fails', async () => {
      const terms = { isSplit: true, isOld: program.isOld };
      const built = await build(world, 'borrower', actionOf({ kind: 'borrow', bank: 'sol', amount: '4000' }), terms);
      const outcome = await simulator.simulate(built.transactions, []);
      expect(outcome).toMatchObject({ by: 'in_process', kind: 'failed', index: built.transactions.length - 1 });
      expect(outcome.kind === 'failed' ? outcome.logs.join('\n') : '').toContain('RiskEngineInitRejected');
    });
  });

  type Request = Omit<LendingAction, 'bank' | 'amount'> & { readonly bank: BankName; readonly amount: string };

  function actionOf({ kind, bank, amount }: Request): LendingAction {
    return { kind, bank: bankNamed(bank).address, amount: amount === 'all' ? 'all' : units(bank, amount) };
  }

  /** Builds, simulates and lands; every account ends as simulated. */
  async function lands(name: BuilderName, request: Request | null) {
    const built = await build(world, name, request === null ? null : actionOf(request));
    const { outcome, differences } = await simulateAndLand(world, name, built, simulator);
    expect(outcome.kind, outcome.kind === 'failed' ? outcome.logs.join('\n') : '').toBe('passed');
    expect(differences).toEqual([]);
    return {
      fee: outcome.transactions.reduce((sum, { feeLamports }) => sum + (feeLamports ?? 0n), 0n),
      rent: built.plan.rent.reduce((sum, { lamports }) => sum + lamports, 0n),
    };
  }

  /** The wallet's own lamports move by so much and the fee, and nothing of it stays wrapped. */
  async function movesSol(name: BuilderName, request: Request, by: string): Promise<void> {
    const before = lamportsOf(name);
    const { fee, rent } = await lands(name, request);
    const moved = by.startsWith('-') ? -units('sol', by.slice(1)) : units('sol', by);
    const rounding = request.amount === 'all' ? 1n : 0n;
    const off = lamportsOf(name) - (before - fee - rent + moved);
    expect(off <= rounding && off >= -rounding, `${request.kind} is off by ${off}`).toBe(true);
    expect(await balancesOf(name, 'sol')).toBe(0n);
  }

  function lamportsOf(name: BuilderName): bigint {
    return world.account(world.signerOf(name).address)?.lamports ?? 0n;
  }

  async function balancesOf(name: BuilderName, bank: BankName): Promise<bigint> {
    return tokensIn(await world.tokenAccountOf(name, bank));
  }

  function tokensIn(address: Address): bigint {
    const state = world.account(address);
    return state === undefined ? 0n : tokenAccountLayout.decode(state.data).amount;
  }
});
