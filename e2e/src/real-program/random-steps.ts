import fc from 'fast-check';
import { BANKS, type BankName, bankNamed, type UserName } from './market.ts';
import { DAY, type Op, type Step } from './steps.ts';

const bank: fc.Arbitrary<BankName> = fc.constantFrom(...BANKS.map(({ name }) => name));
const user: fc.Arbitrary<UserName> = fc.constantFrom('alice', 'bob', 'carol');
const anyone: fc.Arbitrary<UserName> = fc.constantFrom('alice', 'bob', 'carol', 'lender');

/** Base units worth 10^-4 to 10^6 USD at the first price, each order of magnitude as likely. */
function amountIn(name: BankName): fc.Arbitrary<bigint> {
  const { decimals, price } = bankNamed(name);
  return fc
    .tuple(fc.integer({ min: 100_000, max: 999_999 }), fc.integer({ min: -1, max: 8 }))
    .map(([digits, magnitude]) => (BigInt(digits) * 10n ** BigInt(magnitude + decimals)) / (price * 10n) + 1n);
}

const withAmount = fc
  .tuple(fc.constantFrom('deposit', 'withdraw', 'borrow', 'repay'), anyone, bank)
  .chain(([op, who, name]) => amountIn(name).map((amount): Op => ({ op, user: who, bank: name, amount })));
const borrow = fc
  .tuple(user, bank)
  .chain(([who, name]) => amountIn(name).map((amount): Op => ({ op: 'borrow', user: who, bank: name, amount })));
const whole: fc.Arbitrary<Op> = fc.record({
  op: fc.constantFrom('withdrawAll', 'repayAll', 'closeBalance'),
  user,
  bank,
});
const accrue: fc.Arbitrary<Op> = fc.record({ op: fc.constant('accrue'), bank });
const liquidate = fc
  .tuple(user, user, bank, bank)
  .chain(([who, victim, asset, debt]) =>
    amountIn(asset).map((amount): Op => ({ op: 'liquidate', user: who, victim, asset, debt, amount })),
  );
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 8, arbitrary: withAmount },
  { weight: 5, arbitrary: borrow },
  { weight: 3, arbitrary: whole },
  { weight: 1, arbitrary: accrue },
  { weight: 6, arbitrary: liquidate },
);

const sendStep: fc.Arbitrary<Step> = fc.array(op, { minLength: 1, maxLength: 3 }).map((ops) => ({ kind: 'send', ops }));
const flashLoan: fc.Arbitrary<Step> = fc
  .tuple(user, fc.array(fc.oneof(withAmount, borrow, whole), { minLength: 1, maxLength: 4 }))
  .map(([who, inner]) => {
    const ops = inner.map((each): Op => ('user' in each ? { ...each, user: who } : each));
    const end = ops.length + 1;
    return { kind: 'send', ops: [{ op: 'startFlashLoan', user: who, end }, ...ops, { op: 'endFlashLoan', user: who }] };
  });
const timeStep: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom(1n, 30n, 61n, 3_600n, DAY, 12n * DAY),
    fc.bigInt({ min: 0n, max: 97n }),
    fc.subarray([...BANKS]),
  )
  .map(([scale, jitter, stale]) => ({
    kind: 'time',
    seconds: scale + (scale * jitter) / 97n,
    staleFeeds: jitter % 5n === 0n ? stale.map(({ name }) => name) : [],
  }));
/** From half to one and a half of the first price, with intervals that no version refuses. */
const priceStep: fc.Arbitrary<Step> = fc
  .tuple(
    bank,
    fc.integer({ min: 500, max: 1_500 }),
    fc.integer({ min: 500, max: 1_500 }),
    fc.integer({ min: 0, max: 40 }),
  )
  .map(([name, spot, average, confidence]) => {
    const of = (permille: number) => (bankNamed(name).price * BigInt(permille)) / 1_000n;
    const [price, emaPrice] = [of(spot), of(average)];
    const interval = (value: bigint) => (value * BigInt(confidence)) / 1_000n;
    return {
      kind: 'price',
      bank: name,
      feed: { price, confidence: interval(price), emaPrice, emaConfidence: interval(emaPrice) },
    };
  });
const edgeStep: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom('borrow', 'withdraw', 'repay', 'deposit'), user, bank)
  .map(([kind, who, name]) => ({ kind: 'edge', op: kind, user: who, bank: name }));

/** What may follow the opening of the market. */
export const randomSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: sendStep },
    { weight: 3, arbitrary: flashLoan },
    { weight: 4, arbitrary: timeStep },
    { weight: 6, arbitrary: priceStep },
    { weight: 3, arbitrary: edgeStep },
  ),
  { minLength: 15, maxLength: 40 },
);

/** Every user starts with collateral, so that borrowing succeeds as often as it fails. */
const collateral: fc.Arbitrary<readonly Step[]> = fc
  .tuple(
    ...(['alice', 'bob', 'carol'] as const).map((who) =>
      fc.tuple(fc.constant(who), fc.constantFrom('usdc', 'sol', 'bonk', 'jto', 'wide')),
    ),
  )
  .chain((pairs) =>
    fc.tuple(
      ...pairs.map(([who, name]) => fc.integer({ min: 1_000, max: 90_000 }).map((usd) => [who, name, usd] as const)),
    ),
  )
  .map((chosen) =>
    chosen.map(([who, name, usd]) => {
      const { decimals, price } = bankNamed(name as BankName);
      const amount = (BigInt(usd) * 10n ** BigInt(8 + decimals)) / price;
      return { kind: 'send', ops: [{ op: 'deposit', user: who, bank: name as BankName, amount }] } as Step;
    }),
  );

/** Some are as indebted as can be from the start: a price that moves makes them liquidatable. */
const debts: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(user, bank).map(([who, name]): Step => ({ kind: 'edge', op: 'borrow', user: who, bank: name })),
  { minLength: 1, maxLength: 3 },
);

export const randomOpening: fc.Arbitrary<readonly Step[]> = fc
  .tuple(collateral, debts)
  .map(([deposits, borrows]) => [...deposits, ...borrows]);
