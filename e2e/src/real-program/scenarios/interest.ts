import { BANKS } from '../market.ts';
import { DAY, ok, type Scenario, type Step, send, time, YEAR } from '../steps.ts';
import { borrow, deposit, OPENING } from './opening.ts';

const accrueAll: readonly Step[] = BANKS.map(({ name }) => send({ op: 'accrue', bank: name }));

/** Debts below and above each curve's corner. */
const DEBTS = ok(
  send(deposit('alice', 'sol', '2500')),
  send(deposit('bob', 'usdc', '300000')),
  send(deposit('carol', 'wide', '20')),
  send(borrow('alice', 'usdc', '120000')),
  send(borrow('alice', 'jto', '5000')),
  send(borrow('bob', 'sol', '900')),
  send(borrow('carol', 'bonk', '3000000')),
  send(borrow('carol', 'tight', '999')),
  send(borrow('carol', 'usdc', '300000')),
);
/** Debts that pay the rates above the corner, but not for long enough to exceed what was lent. */
const HIGH_DEBTS = ok(send(borrow('carol', 'usdc', '320000')), send(borrow('carol', 'bonk', '5000000')));

export const INTEREST: readonly Scenario[] = [
  {
    name: 'accrues interest over seconds, days and years, to the bit',
    steps: [
      ...OPENING,
      ...DEBTS,
      ...ok(
        ...[1n, 59n, 3_600n, DAY, 7n * DAY, 30n * DAY, 365n * DAY, 3n * YEAR].flatMap((seconds) => [
          time(seconds),
          ...accrueAll,
        ]),
        send({ op: 'accrue', bank: 'usdc' }),
      ),
    ],
  },
  {
    name: 'accrues nothing in a bank without deposits or without debts',
    steps: [
      ...OPENING,
      ...ok(
        time(DAY),
        ...accrueAll,
        send({ op: 'withdrawAll', user: 'lender', bank: 'wide' }),
        time(YEAR),
        ...accrueAll,
        send(deposit('lender', 'wide', '1')),
      ),
    ],
  },
  {
    name: 'accrues in every operation, and settles debts and deposits with it',
    steps: [
      ...OPENING,
      ...DEBTS,
      ...HIGH_DEBTS,
      ...ok(
        time(13n * DAY),
        send({ op: 'repayAll', user: 'carol', bank: 'usdc' }),
        time(29n * DAY + 7n),
        send({ op: 'repayAll', user: 'alice', bank: 'jto' }),
        send(deposit('bob', 'usdc', '0.000003')),
        time(100n * DAY),
        send({ op: 'repayAll', user: 'carol', bank: 'bonk' }),
        send({ op: 'repayAll', user: 'carol', bank: 'tight' }),
        send({ op: 'repayAll', user: 'bob', bank: 'sol' }),
        send({ op: 'repayAll', user: 'alice', bank: 'usdc' }),
        ...(['usdc', 'sol', 'bonk', 'jto', 'tight'] as const).map((bank) =>
          send({ op: 'withdrawAll', user: 'lender', bank }),
        ),
        send({ op: 'withdrawAll', user: 'alice', bank: 'sol' }),
        send({ op: 'withdrawAll', user: 'bob', bank: 'usdc' }),
        send({ op: 'withdrawAll', user: 'carol', bank: 'wide' }),
      ),
    ],
  },
  {
    name: 'charges the rate of full use at most, when interest has made debts exceed what was lent',
    steps: [
      ...OPENING,
      ...DEBTS,
      ...HIGH_DEBTS,
      ...ok(time(YEAR), send({ op: 'accrue', bank: 'bonk' }), time(YEAR)),
      [send({ op: 'accrue', bank: 'bonk' }), null, { elf: null, changed: '0.1.6', bytes: true }],
      ...ok(time(DAY), send({ op: 'accrue', bank: 'bonk' })),
    ],
  },
];
