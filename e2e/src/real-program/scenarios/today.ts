import { ok, type Scenario, send, time } from '../steps.ts';
import { units } from '../world.ts';
import { borrow, deposit, OPENING, repay, withdraw } from './opening.ts';

const PAUSE_SECONDS = 21_600n;
const HOUR = 3_600n;

/** What 0.1.1 cannot do: these run on the model, and beside a program that is newer. */
export const TODAY: readonly Scenario[] = [
  {
    name: 'pulse health',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '10')),
        send(borrow('alice', 'usdc', '500')),
        send({ op: 'pulseHealth', user: 'alice' }),
        time(61n, ['usdc']),
        send({ op: 'pulseHealth', user: 'alice' }),
      ),
    ],
  },
  {
    name: 'a deposit up to the limit of a bank',
    steps: [
      ...OPENING,
      ...ok(
        send({ op: 'depositUpToLimit', user: 'alice', bank: 'tight', amount: units('tight', '1000000') }),
        send(withdraw('alice', 'tight', '1999.999999')),
      ),
      [send(withdraw('alice', 'tight', '0.000001')), 'OperationWithdrawOnly'],
    ],
  },
  {
    name: 'a pause of the program, until it lapses',
    steps: [
      ...OPENING,
      ...ok(send(deposit('alice', 'sol', '10')), send(borrow('alice', 'usdc', '500')), { kind: 'pause' }),
      [send(deposit('alice', 'sol', '1')), 'ProtocolPaused'],
      [send(withdraw('alice', 'sol', '1')), 'ProtocolPaused'],
      [send(borrow('alice', 'usdc', '1')), 'ProtocolPaused'],
      [send(repay('alice', 'usdc', '1')), 'ProtocolPaused'],
      ...ok(time(PAUSE_SECONDS), send(repay('alice', 'usdc', '1')), send(withdraw('alice', 'sol', '1'))),
    ],
  },
  {
    name: 'a rate limit of a bank',
    steps: [
      ...OPENING,
      ...ok(
        send(deposit('alice', 'sol', '100')),
        { kind: 'hourlyLimit', bank: 'usdc', outflow: units('usdc', '1000') },
        send(borrow('alice', 'usdc', '600')),
      ),
      [send(borrow('alice', 'usdc', '400.000001')), 'BankHourlyRateLimitExceeded'],
      ...ok(send(borrow('alice', 'usdc', '400'))),
      [send(borrow('alice', 'usdc', '1')), 'BankHourlyRateLimitExceeded'],
      ...ok(send(repay('alice', 'usdc', '100')), send(borrow('alice', 'usdc', '100'))),
      ...ok(time(2n * HOUR), send(borrow('alice', 'usdc', '1000'))),
    ],
  },
];
