import { DAY, MINUTE, ok, type Scenario, send, time } from '../steps.ts';
import { borrow, deposit, OPENING, repay, withdraw } from './opening.ts';

export const BORROWING: readonly Scenario[] = [
  {
    name: 'borrows to the edge of the collateral, in a bank without and with an origination fee',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'usdc', '1234.567891')),
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'sol' },
        send(deposit('bob', 'sol', '0.35')),
        { kind: 'edge', op: 'borrow', user: 'bob', bank: 'bonk' },
        send(deposit('carol', 'bonk', '12345678.9')),
        send(borrow('carol', 'jto', '1')),
        { kind: 'edge', op: 'borrow', user: 'carol', bank: 'wide' },
      ),
    ],
  },
  {
    name: 'refuses a borrow that the collateral does not bear',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'usdc', '100'))),
      [send(borrow('alice', 'sol', '10')), 'RiskEngineInitRejected'],
      [send(borrow('bob', 'sol', '0.1')), 'RiskEngineInitRejected'],
    ],
  },
  {
    name: 'repays part and all of a debt, with interest',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        send(borrow('alice', 'usdc', '1500.5')),
        send(borrow('alice', 'bonk', '1000000')),
        time(DAY + 1n),
        send(repay('alice', 'usdc', '700.123456')),
        time(3n * DAY + 17n),
        { kind: 'edge', op: 'repay', user: 'alice', bank: 'usdc' },
        send({ op: 'repayAll', user: 'alice', bank: 'bonk' }),
      ),
      [send({ op: 'repayAll', user: 'alice', bank: 'bonk' }), 'BankAccountNotFound'],
      [send(repay('alice', 'sol', '1')), 'OperationRepayOnly'],
    ],
  },
  {
    name: 'repays all of a debt and takes all collateral back',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20'), borrow('alice', 'usdc', '1500.5')),
        time(11n * DAY),
        send({ op: 'repayAll', user: 'alice', bank: 'usdc' }, { op: 'withdrawAll', user: 'alice', bank: 'sol' }),
        send({ op: 'closeAccount', user: 'alice' }),
      ),
    ],
  },
  {
    name: 'withdraws collateral to the edge of the debt',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '20')),
        send(deposit('alice', 'wide', '0.01')),
        send(borrow('alice', 'usdc', '900')),
        { kind: 'edge', op: 'withdraw', user: 'alice', bank: 'sol' },
        time(MINUTE),
      ),
      [send({ op: 'withdrawAll', user: 'alice', bank: 'wide' }), 'RiskEngineInitRejected'],
      [send({ op: 'withdrawAll', user: 'alice', bank: 'sol' }), 'RiskEngineInitRejected'],
    ],
  },
  {
    name: 'refuses to borrow beyond the limit of a bank, or beyond what was lent',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '1000'))),
      [send(borrow('alice', 'tight', '1500')), 'BankLiabilityCapacityExceeded'],
      ...ok({ kind: 'edge', op: 'borrow', user: 'alice', bank: 'tight' }),
      [send(borrow('alice', 'jto', '20001')), 'IllegalUtilizationRatio'],
      ...ok({ kind: 'edge', op: 'borrow', user: 'alice', bank: 'jto' }),
    ],
  },
  {
    name: 'cuts the initial weight of collateral above the soft limit of a bank',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'jto', '4000')),
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'usdc' },
        send(deposit('bob', 'jto', '50000')),
        { kind: 'edge', op: 'borrow', user: 'bob', bank: 'sol' },
      ),
      [send(borrow('alice', 'usdc', '0.01')), 'RiskEngineInitRejected'],
    ],
  },
  {
    name: 'lets a debt of the isolated tier stand alone',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '100')), send(borrow('alice', 'isolated', '10'))),
      [send(borrow('alice', 'usdc', '1')), 'IsolatedAccountIllegalState'],
      ...ok(send(repay('alice', 'isolated', '1'))),
      ...ok(send(deposit('bob', 'sol', '100')), send(borrow('bob', 'usdc', '1'))),
      [send(borrow('bob', 'isolated', '1')), 'IsolatedAccountIllegalState'],
      ...ok(send(deposit('carol', 'isolated', '100'))),
      [send(borrow('carol', 'usdc', '1')), 'RiskEngineInitRejected'],
      ...ok({ kind: 'edge', op: 'borrow', user: 'alice', bank: 'isolated' }),
    ],
  },
  {
    name: 'refuses a deposit into a debt',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '20')), send(borrow('alice', 'usdc', '100'))),
      [send(deposit('alice', 'usdc', '10')), 'OperationDepositOnly', { elf: null, changed: '0.1.5' }],
    ],
  },
  {
    name: 'refuses a borrow of what is deposited',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '20')), send(deposit('alice', 'usdc', '100'))),
      [send(borrow('alice', 'usdc', '10')), 'OperationBorrowOnly', { elf: null, changed: '0.1.5' }],
    ],
  },
  {
    name: 'takes health from all seven balances it has',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'usdc', '10')),
        send(deposit('alice', 'bonk', '100000')),
        send(deposit('alice', 'jto', '10')),
        send(deposit('alice', 'wide', '0.0001')),
        send(deposit('alice', 'isolated', '1')),
        send(borrow('alice', 'tight', '5')),
        send(withdraw('alice', 'isolated', '0.5')),
        { kind: 'edge', op: 'borrow', user: 'alice', bank: 'sol' },
      ),
    ],
  },
];
