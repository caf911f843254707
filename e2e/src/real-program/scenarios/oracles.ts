import { DAY, MINUTE, ok, type Scenario, send, time } from '../steps.ts';
import { borrow, deposit, OPENING, withdraw } from './opening.ts';

export const ORACLES: readonly Scenario[] = [
  {
    name: 'takes a price that is just fresh, and refuses a stale one',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        send(deposit('alice', 'bonk', '1000')),
        time(MINUTE, ['sol', 'usdc', 'bonk']),
        send(borrow('alice', 'usdc', '100')),
        time(1n, ['sol']),
      ),
      [send(borrow('alice', 'usdc', '100')), 'RiskEngineInitRejected'],
      ...ok(time(0n), time(MINUTE + 1n, ['bonk']), send(borrow('alice', 'usdc', '100')), time(MINUTE + 1n, ['usdc'])),
      [send(borrow('alice', 'usdc', '100')), 'PythPushStalePrice'],
      [send(withdraw('alice', 'sol', '1')), 'PythPushStalePrice'],
      ...ok(send({ op: 'repayAll', user: 'alice', bank: 'usdc' }), send(withdraw('alice', 'sol', '1'))),
    ],
  },
  {
    name: 'takes the lower price for collateral and the higher one for debts',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        { kind: 'price', bank: 'sol', feed: { emaPrice: 14_000_000_000n, emaConfidence: 120_000_000n } },
        { kind: 'price', bank: 'bonk', feed: { emaPrice: 2_300n, emaConfidence: 40n, price: 2_000n } },
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'bonk' },
        { kind: 'price', bank: 'sol', feed: { emaPrice: 15_000_000_001n, emaConfidence: 0n } },
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'usdc' },
        time(DAY),
        { kind: 'price', bank: 'sol', feed: { emaPrice: 25_000_000_001n, emaConfidence: 1n } },
        { kind: 'edge', op: 'withdraw', user: 'alice', bank: 'sol' },
      ),
    ],
  },
  {
    name: 'caps a confidence interval of five per cent, below the one it refuses',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        { kind: 'price', bank: 'sol', feed: { emaPrice: 14_000_000_000n, emaConfidence: 640_000_000n } },
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'usdc' },
      ),
    ],
  },
  {
    name: 'refuses a confidence interval wider than ten per cent of the price',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '20')), send(borrow('alice', 'usdc', '10')), {
        kind: 'price',
        bank: 'usdc',
        feed: { emaConfidence: 6_000_000n },
      }),
      [send(borrow('alice', 'usdc', '1')), 'OracleMaxConfidenceExceeded', { elf: null, changed: '0.1.4' }],
    ],
  },
];
