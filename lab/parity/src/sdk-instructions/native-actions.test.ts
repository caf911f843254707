import { MARGINFI_PROGRAM } from '@lending/programs';
import { type LendingAction, planAction } from '@lending/transactions';
import { type AccountBytes, decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountBytes, type Holding } from '../sdk/made-accounts.ts';
import { markets } from '../sdk/random-market.ts';
import { openRecordings } from '../sdk/recordings.ts';
import { type OpenMarket, openMarket, stateOf } from './made-state.ts';
import { DIFFERENCES, OfficialBuilder, withoutUnreadFeeds } from './official-builder.ts';

/** Markets of 17 banks and 16 accounts. `RANDOM_RUNS=50 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 1);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

const NAMED_OF_PAYOUT = 8;
const MAX_BALANCES = 16;
const WORDS = { symbol: 'tokens', venue: 'a bank' };

/** Everything there is to do in a portfolio: with each balance in part and whole, and with a bank that is not in it. */
function requestsOf({ balances }: P0Account, banks: ReadonlyMap<Address, P0Bank>): readonly LendingAction[] {
  const inHeld = balances.flatMap(({ bank, assetShares, liabilityShares }, index): LendingAction[] => {
    const amount = BigInt(index) * 1_234_567n + 1n;
    const kinds = assetShares > 0n ? (['deposit', 'withdraw'] as const) : (['borrow', 'repay'] as const);
    const closes = liabilityShares > 0n ? 'repay' : 'withdraw';
    return [...kinds.map((kind) => ({ kind, bank, amount })), { kind: closes, bank, amount: 'all' }];
  });
  const held = new Set(balances.map(({ bank }) => bank));
  const unheld = [...banks.keys()].find((bank) => !held.has(bank));
  if (unheld === undefined || held.size === MAX_BALANCES) return inHeld;
  return [...inHeld, ...(['deposit', 'borrow'] as const).map((kind) => ({ kind, bank: unheld, amount: 7n }))];
}

/** The lending program's own instruction among what a transaction has. */
function ownOf(instructions: readonly Instruction[]): Instruction {
  const own = instructions.filter(({ programAddress }) => programAddress === MARGINFI_PROGRAM);
  expect(own).toHaveLength(1);
  return own[0] as Instruction;
}

/** What the SDK builds, without what is known to be different. */
function asOurs(theirs: Instruction, { kind, amount }: LendingAction, banks: OpenMarket['banks']): Instruction {
  switch (kind) {
    case 'deposit':
      return theirs;
    case 'repay':
      return amount === 'all' ? theirs : DIFFERENCES.false_for_none(theirs);
    case 'borrow':
      return withoutUnreadFeeds(theirs, banks, NAMED_OF_PAYOUT);
    case 'withdraw': {
      const partly = amount === 'all' ? theirs : DIFFERENCES.false_for_none(theirs);
      return withoutUnreadFeeds(DIFFERENCES.group_writable(partly), banks, NAMED_OF_PAYOUT);
    }
  }
}

async function expectSame(market: OpenMarket, account: AccountBytes, requests: readonly LendingAction[]) {
  const sdk = new OfficialBuilder({ ...market, banks: [...market.banks.values()] }, account);
  for (const request of requests) {
    const bank = market.banks.get(request.bank) as P0Bank;
    const theirs = await sdk.act(request, bank);
    const plan = await planAction(await stateOf(market, account, bank), request, WORDS);
    expect(plan.action, `${request.kind} ${request.amount}`).toEqual([asOurs(ownOf(theirs), request, market.banks)]);
  }
}

describe('actions on native banks against the official SDK', () => {
  beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
  afterAll(() => vi.restoreAllMocks());

  it('are byte for byte the same on random banks and portfolios', async () => {
    const counts: Record<string, number> = {};
    for (const { banks, accounts } of fc.sample(markets, { numRuns: RUNS, seed: SEED })) {
      const market = openMarket(
        banks.map(({ account }) => account),
        accounts,
      );
      for (const account of market.accounts) {
        const requests = requestsOf(decodeMarginfiAccount(account, MARGINFI_PROGRAM), market.banks);
        await expectSame(market, account, requests);
        for (const { kind, amount } of requests) {
          const name = amount === 'all' ? `${kind} all` : kind;
          counts[name] = (counts[name] ?? 0) + 1;
        }
      }
    }
    for (const name of ['deposit', 'withdraw', 'borrow', 'repay', 'withdraw all', 'repay all']) {
      expect(counts[name] ?? 0, `${name} of ${JSON.stringify(counts)}, seed ${SEED}`).toBeGreaterThan(10 * RUNS);
    }
  });

  const recordings = openRecordings();
  describe.skipIf(recordings.isMissing)('on recorded banks (FIXTURES_DIR)', () => {
    it('are byte for byte the same', async () => {
      const banks = recordings.accounts
        .filter(({ name }) => /^marginfi\/bank-/.test(name))
        .map(({ account }) => account);
      expect(banks.length).toBeGreaterThanOrEqual(5);
      const holdings = banks.map(
        ({ address }, slot): Holding => ({
          bank: address,
          assetTag: 0,
          slot,
          assetShares: slot % 2 === 0 ? 5n << 48n : 0n,
          liabilityShares: slot % 2 === 0 ? 0n : 5n << 48n,
        }),
      );
      const market = openMarket(banks, [accountBytes('of recorded banks', holdings)]);
      const [account] = market.accounts as [AccountBytes];
      await expectSame(market, account, requestsOf(decodeMarginfiAccount(account, MARGINFI_PROGRAM), market.banks));
    });
  });
});
