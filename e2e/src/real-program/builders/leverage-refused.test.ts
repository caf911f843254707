import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFromEnvironment } from '../elf.ts';
import { units } from '../world.ts';
import type { Pair } from './leverage-terms.ts';
import { LeverageTwins } from './leverage-twins.ts';

const { program, isMissing } = await loadFromEnvironment();

const PAIR: Pair = ['usdc', 'sol'];
const PRINCIPAL = units('usdc', '1000');
/** The token program's word for too few tokens. */
const INSUFFICIENT_FUNDS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA 1';

describe.skipIf(isMissing)(
  'flash loans that fail alike on the real program and on the model (needs MARGINFI_ELF)',
  () => {
    let twins: LeverageTwins;

    beforeEach(async () => {
      twins = await LeverageTwins.open(program);
      await twins.loops({ pair: PAIR, principal: PRINCIPAL, leverage: 200n }, { opens: true });
    });
    afterEach(() => twins.close());

    it.each([
      { at: -1, error: 'IllegalFlashloan', what: 'a deposit' },
      { at: -2, error: 'IllegalFlashloan', what: 'a transfer' },
      { at: 1, error: 'ProgramFailedToComplete', what: 'an instruction of one byte behind it' },
      { at: 2, error: 'InvalidArgument', what: 'an instruction that is not there' },
    ])('a start that takes $what for its end', async ({ at, error }) => {
      const sized = await twins.sizeLoop({ pair: PAIR, principal: PRINCIPAL, leverage: 150n });
      expect(await twins.unforeseen(sized, { endIndexOff: at })).toBe(error);
    });

    it('a loop that ends unhealthy', async () => {
      const sized = await twins.sizeLoop({ pair: PAIR, principal: PRINCIPAL, leverage: 450n });
      expect(await twins.leverage(sized)).toBe('RiskEngineInitRejected');
    });

    it.each([
      { holds: PRINCIPAL, what: 'from a wallet that has its principal' },
      { holds: PRINCIPAL * 100n, what: 'from a wallet that could pay for it' },
    ])('a loop whose swap gives a unit less than is deposited of it, $what', async ({ holds }) => {
      await twins.setTokens('usdc', holds);
      const terms = { pair: PAIR, principal: PRINCIPAL, leverage: 150n };
      expect(await twins.unforeseen(await twins.sizeLoop({ ...terms, short: 1n }))).toBe(INSUFFICIENT_FUNDS);
      await twins.loops(terms);
    });

    it('a loop with less in the wallet than its principal', async () => {
      await twins.setTokens('usdc', PRINCIPAL / 2n);
      const sized = await twins.sizeLoop({ pair: PAIR, principal: PRINCIPAL, leverage: 150n });
      expect(await twins.leverage(sized)).toBe(INSUFFICIENT_FUNDS);
    });

    it.each([
      { holds: null, what: 'from a wallet without SOL that is wrapped' },
      { holds: units('sol', '100'), what: 'from a wallet that could pay for it' },
    ])('a close whose swap gives a unit less than is owed, $what', async ({ holds }) => {
      if (holds !== null) await twins.setTokens('sol', holds);
      const { debt: fetched } = await twins.balance('sol');
      expect(await twins.unforeseen(await twins.sizeClose({ pair: PAIR, fetched, short: 1n }))).toBe(
        INSUFFICIENT_FUNDS,
      );
      await twins.closes({ pair: PAIR, fetched });
    });

    it('a close that takes out more than is secured without it', async () => {
      const { debt } = await twins.balance('sol');
      const repay = debt / 10n;
      for (const withdraw of [units('usdc', '1000'), 'all'] as const) {
        const sized = await twins.sizeClose({ pair: PAIR, fetched: repay, repay, withdraw });
        expect(await twins.leverage(sized), `${withdraw}`).toBe('RiskEngineInitRejected');
      }
    });

    it('a close that sells more than is deposited', async () => {
      const { debt } = await twins.balance('sol');
      const { asset } = await twins.balance('usdc');
      const sized = await twins.sizeClose({ pair: PAIR, fetched: debt, withdraw: asset + 1n });
      expect(await twins.leverage(sized)).toBe('OperationWithdrawOnly');
    });

    it('a repayment of more than is owed', async () => {
      const { debt } = await twins.balance('sol');
      const { asset } = await twins.balance('usdc');
      const sized = await twins.sizeClose({
        pair: PAIR,
        fetched: debt + debt / 10n,
        repay: debt + 1n,
        withdraw: asset,
      });
      expect(await twins.leverage(sized)).toBe('OperationRepayOnly');
    });

    it.each([
      { stale: 'usdc', error: 'RiskEngineInitRejected', what: 'collateral that counts nothing then' },
      { stale: 'sol', error: 'PythPushStalePrice', what: 'a debt that nobody can value' },
    ] as const)('a loop on a stale price: $what', async ({ stale, error }) => {
      twins.passTime(120n, [stale]);
      const sized = await twins.sizeLoop({ pair: PAIR, principal: PRINCIPAL, leverage: 150n });
      expect(await twins.leverage(sized)).toBe(error);
    });

    it('a loan beyond the limit of its bank', async () => {
      const sized = await twins.sizeLoop({ pair: ['usdc', 'tight'], principal: units('usdc', '1001'), leverage: 200n });
      expect(await twins.leverage(sized)).toBe('BankLiabilityCapacityExceeded');
    });

    it('a deposit beyond the limit of its bank', async () => {
      const sized = await twins.sizeLoop({ pair: ['tight', 'sol'], principal: units('tight', '2000'), leverage: 160n });
      expect(await twins.leverage(sized)).toBe('BankAssetCapacityExceeded');
    });

    it('a loan of more than is lent to its bank', async () => {
      const sized = await twins.sizeLoop({ pair: PAIR, principal: units('usdc', '900000'), leverage: 200n });
      expect(await twins.leverage(sized)).toBe('IllegalUtilizationRatio');
    });

    describe.runIf(program.isOld)('what the old program does instead', () => {
      it('takes the deposit of a surplus into a bank that is owed for a repayment, until 0.1.5', async () => {
        const { debt } = await twins.balance('sol');
        const sized = await twins.sizeClose({ pair: PAIR, fetched: debt, repay: debt / 2n, redeposit: debt / 4n });
        expect(await twins.leverageApart(sized)).toEqual({ old: null, today: 'OperationDepositOnly' });
      });

      it('takes a loan of what is deposited for a withdrawal, until 0.1.5', async () => {
        const sized = await twins.sizeLoop({ pair: ['jto', 'usdc'], principal: units('jto', '10'), leverage: 110n });
        expect(await twins.leverageApart(sized)).toEqual({ old: null, today: 'OperationBorrowOnly' });
      });
    });
  },
);
