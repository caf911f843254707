import fc from 'fast-check';
import { type Op, type Step, sandwich } from './kamino-steps.ts';
import { DECIMALS, RESERVES, type ReserveName, USERS } from './kamino-world.ts';

const ALL = 2n ** 64n - 1n;

const user = fc.constantFrom(...USERS);
const reserve = fc.constantFrom(...RESERVES);

/**
 * From a base unit to more than anybody has, as often small as large; now and then nothing, or all. Not all into a reserve: the ELF
 * looks at limits before it looks whether the cTokens can be counted.
 */
const amountOf = (name: ReserveName, op: 'supply' | 'redeem' | 'deposit' | 'withdraw'): fc.Arbitrary<bigint> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.bigInt(1n, 9n), fc.integer({ min: 0, max: 7 + DECIMALS[name] }), fc.bigInt(0n, 99n))
        .map(([digit, zeros, rest]) => digit * 10n ** BigInt(zeros) + rest),
    },
    { weight: 1, arbitrary: op === 'supply' || op === 'deposit' ? fc.constant(0n) : fc.constantFrom(0n, ALL) },
  );

const move: fc.Arbitrary<Extract<Op, { amount: bigint }>> = fc
  .record({ op: fc.constantFrom('supply', 'redeem', 'deposit', 'withdraw'), user, reserve } as const)
  .chain((fields) => amountOf(fields.reserve, fields.op).map((amount) => ({ ...fields, amount })));

const send: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: move.map((op) =>
      op.op === 'deposit' || op.op === 'withdraw' ? sandwich(op) : ({ kind: 'send', ops: [op] } as const),
    ),
  },
  { weight: 1, arbitrary: move.map((op) => ({ kind: 'send', ops: [op] }) as const) },
  {
    weight: 1,
    arbitrary: fc
      .array(reserve, { maxLength: 4 })
      .map((reserves) => ({ kind: 'send', ops: [{ op: 'refreshBatch', reserves }] }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(reserve)
      .map(
        (reserves) =>
          ({ kind: 'send', ops: reserves.map((name) => ({ op: 'refresh', reserve: name }) as const) }) as const,
      ),
  },
);

const time: fc.Arbitrary<Step> = fc
  .oneof(fc.bigInt(1n, 3n), fc.bigInt(1n, 3_600n), fc.bigInt(1n, 20_000n))
  .map((seconds) => ({ kind: 'time', seconds }));

const units = (name: ReserveName, most: bigint) =>
  fc.bigInt(0n, most).map((whole) => whole * 10n ** BigInt(DECIMALS[name]));

/** Terms and totals as an administrator or borrowers might leave them. */
const change: fc.Arbitrary<Step> = reserve.chain((name) =>
  fc
    .oneof(
      fc
        .tuple(units(name, 40_000_000n), fc.bigInt(0n, (1n << 60n) - 1n))
        .map(([whole, part]) => ({ liquidity: { borrowedAmountSf: (whole << 60n) + part } })),
      fc.record({
        config: fc.record(
          {
            protocolTakeRatePct: fc.integer({ min: 0, max: 100 }),
            hostFixedInterestRateBps: fc.integer({ min: 0, max: 3_000 }),
            depositLimit: fc.oneof(units(name, 60_000_000n), fc.constant(ALL)),
            borrowLimit: units(name, 60_000_000n),
            status: fc.constantFrom(0, 0, 1, 2),
            depositWithdrawalCap: fc.record({
              configCapacity: fc.oneof(units(name, 1_000_000n), fc.constant(-1n)),
              currentTotal: fc.bigInt(-(10n ** 15n), 10n ** 15n),
              lastIntervalStartTimestamp: fc.bigInt(1_769_900_000n, 1_770_010_000n),
              configIntervalLengthSeconds: fc.constantFrom(0n, 100n, 3_600n, 86_400n),
            }),
          },
          { requiredKeys: [] },
        ),
      }),
      fc.constantFrom(0n, 1n << 40n, 1n << 60n, 1n << 70n).map((marketPriceSf) => ({ liquidity: { marketPriceSf } })),
    )
    .map((fields) => ({ kind: 'setReserve', reserve: name, fields }) as Step),
);

const market: fc.Arbitrary<Step> = fc
  .record({
    referralFeeBps: fc.integer({ min: 0, max: 10_000 }),
    minNetValueInObligationSf: fc.constantFrom(0n, 1n << 50n, 1n << 62n),
  })
  .map((fields) => ({ kind: 'setMarket', fields }));

/** As borrowers might leave it; the vault holds a little more, or now and then less. */
const holdings: fc.Arbitrary<readonly Step[]> = reserve.chain((name) =>
  fc.tuple(units(name, 40_000_000n), fc.constantFrom(0n, 777n, 777n, 777n, -1n)).map(([available, extra]) => [
    { kind: 'setReserve', reserve: name, fields: { liquidity: { totalAvailableAmount: available } } },
    { kind: 'setVault', reserve: name, amount: available + extra < 0n ? 0n : available + extra },
  ]),
);

/** What two people, time and an administrator do to three reserves. */
export const randomSteps: fc.Arbitrary<readonly Step[]> = fc
  .array(
    fc.oneof(
      { weight: 10, arbitrary: send.map((step) => [step]) },
      { weight: 4, arbitrary: time.map((step) => [step]) },
      { weight: 1, arbitrary: change.map((step) => [step]) },
      { weight: 1, arbitrary: market.map((step) => [step]) },
      { weight: 1, arbitrary: holdings },
    ),
    { minLength: 5, maxLength: 25, size: 'max' },
  )
  .map((steps) => steps.flat());
