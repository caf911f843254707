import { ok, type Scenario, send } from '../steps.ts';
import { borrow, deposit, OPENING, repay, withdraw } from './opening.ts';

const start = (end: number) => ({ op: 'startFlashLoan', user: 'alice', end }) as const;
const end = { op: 'endFlashLoan', user: 'alice' } as const;

export const FLASH_LOANS: readonly Scenario[] = [
  {
    name: 'lends within a transaction what is back at its end',
    steps: [
      ...OPENING,
      ...ok(
        send(start(3), borrow('alice', 'usdc', '100000'), repay('alice', 'usdc', '100000'), end),
        send(start(3), borrow('alice', 'sol', '100'), { op: 'repayAll', user: 'alice', bank: 'sol' }, end),
        send(deposit('alice', 'sol', '10')),
        send(
          start(4),
          borrow('alice', 'usdc', '3000'),
          deposit('alice', 'sol', '30'),
          withdraw('alice', 'sol', '1'),
          end,
        ),
      ),
    ],
  },
  {
    name: 'builds a loop: borrows first, deposits after',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '10')),
        send(start(3), borrow('alice', 'usdc', '2000'), deposit('alice', 'sol', '13'), end),
        send(
          start(5),
          { op: 'repayAll', user: 'alice', bank: 'usdc' },
          { op: 'withdrawAll', user: 'alice', bank: 'sol' },
          deposit('alice', 'bonk', '10'),
          withdraw('alice', 'bonk', '3'),
          end,
        ),
      ),
    ],
  },
  {
    name: 'refuses a flash loan that ends unhealthy',
    steps: [
      ...OPENING,
      [send(start(2), borrow('alice', 'usdc', '100'), end), 'RiskEngineInitRejected'],
      ...ok(send(deposit('alice', 'sol', '1'))),
      [send(start(3), borrow('alice', 'usdc', '300'), repay('alice', 'usdc', '1'), end), 'RiskEngineInitRejected'],
    ],
  },
  {
    name: 'refuses a flash loan without an end where it says',
    steps: [
      ...OPENING,
      [send(start(1), borrow('alice', 'usdc', '1'), repay('alice', 'usdc', '1'), end), 'IllegalFlashloan'],
      [send(start(0), end), 'IllegalFlashloan'],
      [send(start(9), end), 'InvalidArgument'],
      [send(start(2), borrow('alice', 'usdc', '1'), repay('alice', 'usdc', '1')), 'IllegalFlashloan'],
      [send(borrow('alice', 'usdc', '1'), start(0), end), 'RiskEngineInitRejected'],
    ],
  },
  {
    name: 'refuses a flash loan within a flash loan, one that ends another’s account, and an end alone',
    steps: [
      ...OPENING,
      [send(start(3), start(3), borrow('alice', 'usdc', '1'), end), 'IllegalFlashloan'],
      [send(start(1), { op: 'endFlashLoan', user: 'bob' }, end), 'IllegalFlashloan'],
      [send(end), 'IllegalFlashloan'],
      ...ok(send(start(1), end)),
      ...ok(send(start(1), end, start(3), end)),
      [send(start(1), end, end), 'IllegalFlashloan'],
    ],
  },
];
