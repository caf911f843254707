import { MARGINFI_PROGRAM } from '@lending/programs';
import {
  type LendingAction,
  type LeverageState,
  planLeverage,
  type SizedClose,
  type SizedLeverage,
  type SizedLoop,
  type SwapRoute,
} from '@lending/transactions';
import { type AccountBytes, decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { noiseAddress } from '../sdk/made-accounts.ts';
import { markets } from '../sdk/random-market.ts';
import { type OpenMarket, openMarket, stateOf } from './made-state.ts';
import { DIFFERENCES, OfficialBuilder, withGroupAtEnd, withoutUnreadFeeds } from './official-builder.ts';

/** Markets of 17 banks and 16 accounts. `RANDOM_RUNS=50 RANDOM_SEED=7` looks further. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 1);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_122);

const NAMED_OF_PAYOUT = 8;
const NAMED_OF_END = 2;
const MAX_BALANCES = 16;
const WORDS = { deposit: { symbol: 'these', venue: 'a bank' }, borrow: { symbol: 'those', venue: 'another' } };
const SWAP: Instruction = { programAddress: noiseAddress('pools'), accounts: [], data: new Uint8Array(9) };
const ROUTE = { quote: {}, setup: [], swap: [SWAP], lookupTables: [] } as unknown as SwapRoute;
/** The start of a loan names the end by its place in the message, which is known when that is put together. */
const NO_PLACE_YET = 0;

/** Loops into what is held or not, and closes of each pair of collateral and debt, of parts and of all. */
function requestsOf({ balances }: P0Account, banks: ReadonlyMap<Address, P0Bank>): readonly SizedLeverage[] {
  const assets = balances.filter(({ assetShares }) => assetShares > 0n).map(({ bank }) => bank);
  const debts = balances.filter(({ assetShares }) => assetShares === 0n).map(({ bank }) => bank);
  const held = new Set(balances.map(({ bank }) => bank));
  const [one, other] = [...banks.keys()].filter((bank) => !held.has(bank));
  const isRoom = held.size + 2 <= MAX_BALANCES;
  const deposits = [assets[0], isRoom ? one : undefined].filter((bank) => bank !== undefined);
  const loans = [debts[0], isRoom ? other : undefined].filter((bank) => bank !== undefined);
  const pairs = (from: readonly Address[], to: readonly Address[]) =>
    from.flatMap((depositBank) => to.map((borrowBank) => ({ depositBank, borrowBank })));
  const loops = pairs(deposits, loans).map(
    (pair): SizedLoop => ({
      kind: 'loop',
      ...pair,
      principal: 1_000n,
      supplied: 3_000n,
      leverage: { numerator: 3n, denominator: 1n },
      borrow: 2_345n,
      swap: ROUTE,
    }),
  );
  const closes = pairs(assets.slice(0, 2), debts.slice(0, 2)).flatMap((pair) => {
    const part = { kind: 'close_position', ...pair, surplus: 'wallet', redeposit: 0n, swap: ROUTE } as const;
    return ([17n, 'all'] as const).flatMap((withdraw): readonly SizedClose[] => [
      { ...part, withdraw, repay: 19n },
      { ...part, withdraw, repay: 'all' },
      { ...part, withdraw, repay: 'all', surplus: 'redeposit', redeposit: 23n },
    ]);
  });
  return [...loops, ...closes];
}

/** What stands in the loan, as single actions in their order; null is the swap. */
function stepsOf(sized: SizedLeverage): readonly (LendingAction | null)[] {
  const { depositBank, borrowBank } = sized;
  if (sized.kind === 'loop') {
    return [
      { kind: 'borrow', bank: borrowBank, amount: sized.borrow },
      null,
      { kind: 'deposit', bank: depositBank, amount: sized.supplied },
    ];
  }
  const again = { kind: 'deposit', bank: borrowBank, amount: sized.redeposit } as const;
  return [
    { kind: 'withdraw', bank: depositBank, amount: sized.withdraw },
    null,
    { kind: 'repay', bank: borrowBank, amount: sized.repay },
    ...(sized.redeposit > 0n ? [again] : []),
  ];
}

/** What the SDK builds, without what is known to be different. */
async function officialLoan(market: OpenMarket, sdk: OfficialBuilder, sized: SizedLeverage) {
  const inner: Instruction[] = [];
  for (const step of stepsOf(sized)) {
    if (step === null) {
      inner.push(SWAP);
      continue;
    }
    const theirs = await sdk.act(step, market.banks.get(step.bank) as P0Bank);
    const own = theirs.find(({ programAddress }) => programAddress === MARGINFI_PROGRAM) as Instruction;
    const isPart = step.amount !== 'all' && (step.kind === 'repay' || step.kind === 'withdraw');
    const partly = isPart ? DIFFERENCES.false_for_none(own) : own;
    const read = step.kind === 'withdraw' ? DIFFERENCES.group_writable(partly) : partly;
    inner.push(
      step.kind === 'borrow' || step.kind === 'withdraw'
        ? withoutUnreadFeeds(read, market.banks, NAMED_OF_PAYOUT)
        : read,
    );
  }
  const loan = await sdk.flashLoan(inner, NO_PLACE_YET);
  const end = withoutUnreadFeeds(loan.at(-1) as Instruction, market.banks, NAMED_OF_END);
  const [bank] = market.banks.values();
  return loan.with(-1, withGroupAtEnd(end, (bank as P0Bank).group));
}

async function pairOf(market: OpenMarket, account: AccountBytes, sized: SizedLeverage): Promise<LeverageState> {
  const read = (bank: Address) => stateOf(market, account, market.banks.get(bank) as P0Bank);
  const [deposit, borrow] = [await read(sized.depositBank), await read(sized.borrowBank)];
  const sideOf = ({ target, walletTokens }: typeof deposit) => ({ live: target, tokens: walletTokens });
  return { ...deposit, collateral: sideOf(deposit), debt: sideOf(borrow) } as LeverageState;
}

describe('loops and closes of native banks against the official SDK', () => {
  beforeAll(() => void vi.spyOn(console, 'log').mockImplementation(() => {}));
  afterAll(() => vi.restoreAllMocks());

  it('are byte for byte the same on random banks and portfolios', async () => {
    const counts = { loop: 0, close_position: 0 };
    for (const { banks, accounts } of fc.sample(markets, { numRuns: RUNS, seed: SEED })) {
      const market = openMarket(
        banks.map(({ account }) => account),
        accounts,
      );
      for (const account of market.accounts) {
        const sdk = new OfficialBuilder({ ...market, banks: [...market.banks.values()] }, account);
        for (const sized of requestsOf(decodeMarginfiAccount(account, MARGINFI_PROGRAM), market.banks)) {
          const { action } = await planLeverage(await pairOf(market, account, sized), sized, WORDS);
          expect(
            action,
            JSON.stringify(stepsOf(sized), (_, value) => `${value}`),
          ).toEqual(await officialLoan(market, sdk, sized));
          counts[sized.kind] += 1;
        }
      }
    }
    for (const [kind, count] of Object.entries(counts))
      expect(count, `${kind}, seed ${SEED}`).toBeGreaterThan(10 * RUNS);
  });
});
