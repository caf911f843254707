import { DAY, ok, type Scenario, send, time } from '../steps.ts';
import { borrow, deposit, OPENING, withdraw } from './opening.ts';

export const LENDING: readonly Scenario[] = [
  {
    name: 'deposits into several banks, and takes part and all of them back',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'usdc', '1234.567891')),
        send(deposit('alice', 'sol', '7.123456789')),
        send(deposit('alice', 'bonk', '1000.12345')),
        send(deposit('alice', 'usdc', '0.000001')),
        send(withdraw('alice', 'sol', '2.000000001')),
        send({ op: 'withdrawAll', user: 'alice', bank: 'usdc' }),
        send({ op: 'withdrawAll', user: 'alice', bank: 'sol' }),
        send(deposit('alice', 'jto', '3')),
        send({ op: 'withdrawAll', user: 'alice', bank: 'bonk' }),
        send({ op: 'withdrawAll', user: 'alice', bank: 'jto' }),
        send({ op: 'closeAccount', user: 'alice' }),
      ),
    ],
  },
  {
    name: 'several instructions in one transaction open and close balances in any order',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'usdc', '10'), deposit('alice', 'bonk', '10'), deposit('alice', 'sol', '1')),
        send(
          { op: 'withdrawAll', user: 'alice', bank: 'bonk' },
          deposit('alice', 'jto', '5'),
          withdraw('alice', 'sol', '0.5'),
        ),
        send(borrow('alice', 'tight', '20'), { op: 'withdrawAll', user: 'alice', bank: 'usdc' }),
      ),
    ],
  },
  {
    name: 'refuses to withdraw more than there is, or from a bank without a balance',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'usdc', '100'))),
      [send(withdraw('alice', 'usdc', '100.000001')), 'OperationWithdrawOnly'],
      [send(withdraw('alice', 'sol', '1')), 'BankAccountNotFound'],
      [send({ op: 'withdrawAll', user: 'alice', bank: 'sol' }), 'BankAccountNotFound'],
      ...ok(send(withdraw('alice', 'usdc', '100'))),
      [send({ op: 'withdrawAll', user: 'alice', bank: 'usdc' }), 'NoAssetFound'],
      ...ok(send({ op: 'closeBalance', user: 'alice', bank: 'usdc' }), send({ op: 'closeAccount', user: 'alice' })),
    ],
  },
  {
    name: 'withdraws what was lent with its interest, to the last unit',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('bob', 'sol', '500')),
        send(borrow('bob', 'usdc', '40000')),
        time(37n * DAY + 12_345n),
        send({ op: 'withdrawAll', user: 'lender', bank: 'tight' }),
        { kind: 'edge', op: 'withdraw', user: 'lender', bank: 'usdc' },
        send(deposit('lender', 'usdc', '1000')),
        send({ op: 'repayAll', user: 'bob', bank: 'usdc' }),
        send({ op: 'withdrawAll', user: 'lender', bank: 'usdc' }),
        send({ op: 'withdrawAll', user: 'bob', bank: 'sol' }),
      ),
    ],
  },
  {
    name: 'refuses a deposit above the limit of a bank, to the last unit',
    steps: [
      ...OPENING,
      [send(deposit('alice', 'tight', '2000')), 'BankAssetCapacityExceeded'],
      ...ok({ kind: 'edge', op: 'deposit', user: 'alice', bank: 'tight' }, send(withdraw('alice', 'tight', '12.5')), {
        kind: 'edge',
        op: 'deposit',
        user: 'bob',
        bank: 'tight',
      }),
    ],
  },
  {
    name: 'refuses what an owner did not sign',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'usdc', '100'))),
      [
        send({ ...withdraw('alice', 'usdc', '1'), signer: 'bob' } as ReturnType<typeof withdraw>),
        'Unauthorized',
        { elf: 'ConstraintAddress', changed: '0.1.5' },
      ],
    ],
  },
  {
    name: 'closes only balances that are empty',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'usdc', '100'))),
      [send({ op: 'closeBalance', user: 'alice', bank: 'usdc' }), 'IllegalBalanceState'],
      [send({ op: 'closeBalance', user: 'alice', bank: 'sol' }), 'BankAccountNotFound'],
      ...ok(send(borrow('alice', 'tight', '10'))),
      [send({ op: 'closeBalance', user: 'alice', bank: 'tight' }), 'IllegalBalanceState'],
      ...ok(
        send({ op: 'repayAll', user: 'alice', bank: 'tight' }),
        send(withdraw('alice', 'usdc', '100')),
        send({ op: 'closeBalance', user: 'alice', bank: 'usdc' }),
      ),
    ],
  },
  {
    name: 'obeys the state of a bank',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'usdc', '1000')),
        send(deposit('alice', 'wide', '0.1')),
        send(borrow('alice', 'sol', '1')),
        { kind: 'state', bank: 'usdc', state: 'ReduceOnly' },
      ),
      [send(deposit('alice', 'usdc', '1')), 'BankReduceOnly'],
      ...ok(send(withdraw('alice', 'usdc', '1')), { kind: 'state', bank: 'sol', state: 'ReduceOnly' }),
      [send(borrow('alice', 'sol', '0.1')), 'BankReduceOnly'],
      ...ok(send({ op: 'repay', user: 'alice', bank: 'sol', amount: 1_000n }), {
        kind: 'state',
        bank: 'sol',
        state: 'Paused',
      }),
      [send({ op: 'repay', user: 'alice', bank: 'sol', amount: 1_000n }), 'BankPaused'],
      ...ok({ kind: 'state', bank: 'usdc', state: 'Paused' }),
      [send(withdraw('alice', 'usdc', '1')), 'BankPaused'],
      [send(deposit('alice', 'usdc', '1')), 'BankPaused'],
    ],
  },
  {
    name: 'counts collateral in a bank that only takes back as nothing for new debts',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'usdc', '1000')), send(borrow('alice', 'sol', '1')), {
        kind: 'state',
        bank: 'usdc',
        state: 'ReduceOnly',
      }),
      [send(withdraw('alice', 'usdc', '1')), 'RiskEngineInitRejected', { elf: null, changed: '0.1.7' }],
      [send(borrow('alice', 'sol', '0.001')), 'RiskEngineInitRejected'],
      ...ok(send({ op: 'repayAll', user: 'alice', bank: 'sol' }), send(withdraw('alice', 'usdc', '1'))),
    ],
  },
];
