import { createHash } from 'node:crypto';
import { I80F48_ONE } from '@lending/domain';
import { getAddressBytes, isSince, MARGINFI_PROGRAM, orderLayout, type ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import { createActor, findLendingAccount } from '#actors/actor.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { madeOf } from './account-state.ts';
import { type MadeBalance, madeAccount } from './made-account.ts';
import { P0_BANKS } from './p0-banks.ts';
import { premiumRate } from './premiums.ts';
import type { DemoTokenName } from './tokens.ts';

const TRADER = createActor('trader');
const LAMPORTS = 10_000_000_000n;
const TRIGGER = { stopLoss: 0, takeProfit: 1, both: 2 } as const;
const FIVE_PERCENT = Math.round(0.05 * 0xffff_ffff);

/** Base units on either side; about 31,000 USD of collateral and 14,000 of debt, some of which bears a premium. */
const HOLDINGS = {
  cbBTC: { side: 'assets', base: 25_000_000n, tag: 1 },
  WETH: { side: 'assets', base: 600_000_000n, tag: 3 },
  USDC: { side: 'liabilities', base: 12_000_000_000n, tag: 2 },
  USDT: { side: 'liabilities', base: 2_000_000_000n, tag: 0 },
} as const satisfies Partial<Record<DemoTokenName, { side: MadeBalance['side']; base: bigint; tag: number }>>;

/** Both collaterals have this rate, so it is their mean; `outstanding` is what a month of it comes to. */
const PREMIUMS: Readonly<Partial<Record<Held, MadeBalance['premium']>>> = {
  USDT: { rate: premiumRate(1n), outstanding: 1_643_000n * I80F48_ONE },
};

type Held = keyof typeof HOLDINGS;

/** Thresholds are of collateral less debt, in whole USD. */
const ORDERS: readonly {
  readonly asset: Held;
  readonly debt: Held;
  readonly trigger: number;
  readonly usd: readonly [bigint, bigint];
}[] = [
  { asset: 'cbBTC', debt: 'USDC', trigger: TRIGGER.stopLoss, usd: [6_000n, 0n] },
  { asset: 'WETH', debt: 'USDC', trigger: TRIGGER.both, usd: [500n, 40_000n] },
];

/** What the trader holds of the banks' totals. Base units as shares: worth a little more, by the interest since the bank began. */
const TRADER_BALANCES: readonly MadeBalance[] = Object.entries(HOLDINGS).map(([token, { side, base, tag }]) => ({
  bank: rowOf(token as Held),
  side,
  shares: base * I80F48_ONE,
  tag,
}));

const WITH_PREMIUMS: readonly MadeBalance[] = TRADER_BALANCES.map((balance) => {
  const premium = Object.entries(PREMIUMS).find(([token]) => rowOf(token as Held) === balance.bank)?.[1];
  return premium === undefined ? balance : { ...balance, premium };
});

/**
 * A lending account with two standing orders, a stop-loss and one for both ends. The local chain's model of the program executes none and
 * places none: account and orders are made, with the bytes that the program would have left, so that readers meet some.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/order.rs
 */
export function demoOrders({
  unixTimestamp,
  programVersion,
}: {
  readonly unixTimestamp: bigint;
  readonly programVersion: ProgramVersion;
}): readonly (readonly [Address, AccountState])[] {
  const { address, bump } = findLendingAccount(TRADER.wallet, 0);
  const made = {
    authority: getAddressBytes(TRADER.wallet),
    unixTimestamp,
    balances: isSince(programVersion, '0.1.12') ? WITH_PREMIUMS : TRADER_BALANCES,
    bump,
    activeOrders: ORDERS.length,
  };
  return [
    [TRADER.wallet, { lamports: LAMPORTS, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }],
    [address, madeAccount(made)],
    ...ORDERS.map(({ asset, debt, trigger, usd: [stopLoss, takeProfit] }) => {
      const order = findOrder(address, [rowOf(asset).address, rowOf(debt).address]);
      const state = madeOf(MARGINFI_PROGRAM, orderLayout, (zero) => ({
        ...zero,
        marginfiAccount: address,
        stopLoss: stopLoss * I80F48_ONE,
        takeProfit: takeProfit * I80F48_ONE,
        createdAt: unixTimestamp,
        maxSlippage: FIVE_PERCENT,
        tags: [HOLDINGS[asset].tag, HOLDINGS[debt].tag],
        trigger,
        bump: order.bump,
      }));
      return [order.address, state] as const;
    }),
  ];
}

/** Each pair of balances has one order at most: its address comes from both banks, whichever is named first. */
function findOrder(account: Address, banks: readonly Address[]): ReturnType<typeof findProgramAddress> {
  const hash = createHash('sha256');
  for (const bytes of banks.map(getAddressBytes).toSorted(Buffer.compare)) hash.update(bytes);
  const seeds = [new TextEncoder().encode('order'), getAddressBytes(account), new Uint8Array(hash.digest())];
  return findProgramAddress(seeds, MARGINFI_PROGRAM);
}

function rowOf(token: Held) {
  const row = P0_BANKS.find((bank) => bank.token === token);
  if (row === undefined) throw new TypeError(`The demo market has no bank of ${token}`);
  return row;
}
