import { MINUTE, type Op, ok, type Scenario, type Step, send, time } from '../steps.ts';
import { units } from '../world.ts';
import { borrow, deposit, OPENING } from './opening.ts';

const liquidate = (tokens: string, parts: Partial<Extract<Op, { readonly op: 'liquidate' }>> = {}) =>
  send({
    op: 'liquidate',
    user: 'carol',
    victim: 'alice',
    asset: 'sol',
    debt: 'usdc',
    amount: units('sol', tokens),
    ...parts,
  });

/** SOL falls to 115 USD, at once and on average. */
const fall: Step = { kind: 'price', bank: 'sol', feed: { price: 11_500_000_000n, emaPrice: 11_500_000_000n } };

const LEVERAGED = ok(
  send(deposit('alice', 'sol', '20')),
  send(borrow('alice', 'usdc', '2200')),
  send(deposit('carol', 'usdc', '10000')),
);

export const LIQUIDATION: readonly Scenario[] = [
  {
    name: 'refuses to liquidate an account that is healthy',
    steps: [...OPENING, ...LEVERAGED, [liquidate('1'), 'HealthyAccount']],
  },
  {
    name: 'liquidates part of an account, and takes the insurance fee',
    steps: [
      ...OPENING,
      ...LEVERAGED,
      ...ok(fall, time(MINUTE), liquidate('1.234567891'), liquidate('0.5')),
      [liquidate('0'), 'ZeroLiquidationAmount'],
      [liquidate('1', { asset: 'usdc' }), 'SameAssetAndLiabilityBanks'],
      [liquidate('1', { debt: 'bonk' }), 'LendingAccountBalanceNotFound'],
    ],
  },
  {
    name: 'refuses to liquidate more than makes an account healthy, more than it owes or more than it holds',
    steps: [
      ...OPENING,
      ...LEVERAGED,
      ...ok({ kind: 'price', bank: 'sol', feed: { price: 12_800_000_000n, emaPrice: 12_800_000_000n } }),
      [liquidate('10'), 'TooSevereLiquidation'],
      [liquidate('19.5'), 'OperationRepayOnly'],
      [liquidate('20.5'), 'OverliquidationAttempt'],
      ...ok(liquidate('0.4')),
    ],
  },
  {
    name: 'refuses a liquidator whom it would make unhealthy',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        send(borrow('alice', 'usdc', '2200')),
        send(deposit('carol', 'bonk', '100')),
        fall,
      ),
      [liquidate('1'), 'RiskEngineInitRejected'],
      ...ok(send(deposit('bob', 'usdc', '1')), liquidate('0.001', { user: 'bob' })),
      [liquidate('2', { user: 'bob' }), 'RiskEngineInitRejected'],
    ],
  },
];
