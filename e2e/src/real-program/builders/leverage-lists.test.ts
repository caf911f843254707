import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFromEnvironment } from '../elf.ts';
import { bankNamed } from '../market.ts';
import { units } from '../world.ts';
import { balancesOf } from './holdings.ts';
import { type LeverageSide, openLeverageSide } from './leverage-side.ts';
import { type Pair, sizeClose, sizeLoop } from './leverage-terms.ts';
import { LeverageTwins, NAME } from './leverage-twins.ts';

const { program, isMissing } = await loadFromEnvironment();

const PAIR: Pair = ['sol', 'usdc'];
const PRINCIPAL = units('sol', '10');

describe.skipIf(isMissing)(
  'what else loops and closes do, on the real program and on the model (needs MARGINFI_ELF)',
  () => {
    let twins: LeverageTwins;

    beforeEach(async () => {
      twins = await LeverageTwins.open(program);
    });
    afterEach(() => twins.close());

    it('leaves nothing behind where everything is taken out and repaid', async () => {
      await twins.loops({ pair: PAIR, principal: PRINCIPAL, leverage: 300n }, { opens: true });
      const { asset } = await twins.balance('sol');
      const before = await twins.tokens('usdc');
      const fetched = await twins.debtToCover('usdc');
      const { swap } = await twins.closes({ pair: PAIR, fetched, withdraw: 'all' });
      expect(await twins.balances()).toEqual([]);
      // What was fetched beyond the debt stays; SOL that was not sold is unwrapped.
      expect(await twins.tokens('usdc')).toBeGreaterThan(before);
      expect(swap?.quote.inBase).toBeLessThan(asset);
      expect(await twins.tokens('sol')).toBe(0n);
    });

    it('deposits what is fetched beyond the debt', async () => {
      await twins.loops({ pair: PAIR, principal: PRINCIPAL, leverage: 200n }, { opens: true });
      const debt = await twins.debtToCover('usdc');
      const redeposit = units('usdc', '100');
      await twins.closes({ pair: PAIR, fetched: debt + redeposit, redeposit });
      expect(await twins.balance('usdc')).toEqual({ asset: redeposit, debt: 0n });
    });

    it('closes without any price where nothing is owed afterwards', async () => {
      await twins.loops({ pair: PAIR, principal: PRINCIPAL, leverage: 200n }, { opens: true });
      twins.passTime(3_600n, ['sol', 'usdc']);
      await twins.closes({ pair: PAIR, fetched: await twins.debtToCover('usdc') });
      expect((await twins.balance('usdc')).debt).toBe(0n);
    });

    it('keeps several positions in one account', async () => {
      const held = async () => (await twins.balances()).map(({ bank }) => bank).toSorted();
      await twins.loops({ pair: PAIR, principal: PRINCIPAL, leverage: 150n }, { opens: true });
      await twins.loops({ pair: ['wide', 'usdc'], principal: units('wide', '0.01'), leverage: 150n });
      await twins.loops({ pair: ['jto', 'bonk'], principal: units('jto', '10'), leverage: 120n });
      expect(await held()).toEqual(['bonk', 'jto', 'sol', 'usdc', 'wide']);
      await twins.closes({ pair: ['wide', 'usdc'], fetched: units('usdc', '400'), repay: units('usdc', '400') });
      await twins.closes({ pair: ['jto', 'bonk'], fetched: await twins.debtToCover('bonk'), withdraw: 'all' });
      expect(await held()).toEqual(['sol', 'usdc', 'wide']);
    });
  },
);

describe.skipIf(isMissing)('loops in several transactions, on the real program (needs MARGINFI_ELF)', () => {
  let side: LeverageSide;
  const how = { isSplit: true, isOld: program.isOld };

  beforeEach(async () => {
    side = await openLeverageSide(program);
    const fault = { kind: 'error', code: -32_601, message: 'Method not found', methods: ['simulateBundle'] } as const;
    side.world.localnet.setFault(fault);
    await deposits('lender', 'usdc', '50000');
    await deposits(NAME, 'sol', '1');
  });
  afterEach(() => side.close());

  it('land as they were simulated in this process', async () => {
    const loop = await sizeLoop(side.world, NAME, { pair: PAIR, principal: PRINCIPAL, leverage: 200n });
    expect(await side.leverage(NAME, loop, how)).toMatchObject({ refusal: null, differences: [], by: 'in_process' });
    const debt = (await balancesOf(side.world, NAME)).find(({ bank }) => bank === 'usdc')?.debt ?? 0n;
    const close = await sizeClose(side.world, NAME, { pair: PAIR, fetched: debt });
    expect(await side.leverage(NAME, close, how)).toMatchObject({ refusal: null, differences: [], by: 'in_process' });
    expect((await balancesOf(side.world, NAME)).map(({ bank }) => bank)).toEqual(['sol']);
  });

  it('fail in this process as the program fails', async () => {
    const loop = await sizeLoop(side.world, NAME, { pair: PAIR, principal: PRINCIPAL, leverage: 500n });
    const result = await side.leverage(NAME, loop, how);
    expect(result).toMatchObject({ refusal: { name: 'RiskEngineInitRejected' }, by: 'in_process' });
  });

  async function deposits(name: 'lender' | typeof NAME, bank: 'usdc' | 'sol', amount: string): Promise<void> {
    const action = { kind: 'deposit', bank: bankNamed(bank).address, amount: units(bank, amount) } as const;
    expect(await side.act(name, action)).toMatchObject({ refusal: null, differences: [] });
  }
});
