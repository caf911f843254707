import { DAY, ok, type Scenario, send, time } from '../steps.ts';
import { borrow, deposit, OPENING } from './opening.ts';

export const DERIVED_ACCOUNTS: readonly Scenario[] = [
  {
    name: 'does with an account at a derived address what it does with any other',
    steps: [
      ...OPENING,
      ...ok(
        send({ op: 'createDerivedAccount', user: 'dora' }),
        send(deposit('dora', 'sol', '12')),
        send(borrow('dora', 'usdc', '500')),
        time(DAY),
        send({ op: 'repayAll', user: 'dora', bank: 'usdc' }, { op: 'withdrawAll', user: 'dora', bank: 'sol' }),
        send({ op: 'closeAccount', user: 'dora' }),
      ),
    ],
  },
];
