import { parseI80F48 } from '@lending/domain';
import {
  keeperCloseRebalanceOrderEvent,
  marginfiAccountCloseRebalanceOrderEvent,
  marginfiAccountPlaceRebalanceOrderEvent,
  rebalanceExecutedEvent,
  rebalanceFeePoolTopUpEvent,
  rebalanceFeePoolWithdrawEvent,
  rebalanceTipSettledEvent,
} from '@lending/programs';
import type { Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { transferOf } from '#engine/testing-transactions.ts';
import * as act from '#market/lending-instructions.ts';
import * as rebalance from '#market/rebalance-instructions.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import { RebalanceWorld, wholeTokens } from '../testing/rebalance-order.ts';

const TIP = 2_000_000n;
const DAY = 86_400n;
/** Bytes of an account, and of a bank's configuration. */
const FLAGS = 1_800;
const TAGGED_AT = 2_288;
const FIRST_TAG = 72 + 34;

const opened = await RebalanceWorld.open();
let world: RebalanceWorld;
beforeEach(() => {
  world = opened.fork();
});

const place = (terms: rebalance.RebalanceTerms = {}) => expectDone(world.place({ minImprovement: 0n, ...terms }));
const fund = (lamports = 10n * TIP) =>
  expectDone(
    world.chain.send(world.owner.wallet, rebalance.topUpFeePool(world.owner.wallet, world.owner.account, lamports)),
  );
const pool = () => act.feePoolOf(world.owner.account);
const held = () => world.banks.map((bank) => world.sharesIn(bank));
/** Both kinds of balances lie at the first slot: the account has one. */
const setTag = (tag: number) =>
  world.chain.edit(world.owner.account, (data) => data.fill(tag, FIRST_TAG, FIRST_TAG + 1));

describe('marginfi_account_place_rebalance_order', () => {
  it('writes the order with the program’s own terms where none are named', () => {
    const result = expectDone(world.place({}));
    const [kamino, juplend, own] = world.banks.map(({ address }) => address);
    expect(world.order()).toMatchObject({
      marginfiAccount: world.owner.account,
      authority: world.owner.wallet,
      mint: world.mint,
      allowedBankCount: 3,
      minImprovement: parseI80F48('0.05'),
      cooldownSeconds: DAY,
      amount: 0n,
      keeperTip: 0n,
      lastExecTimestamp: 0n,
    });
    expect(world.order().allowedBanks.slice(0, 3)).toEqual([kamino, juplend, own]);
    expect(world.chain.marginfiAccount(world.owner.account).activeOrders).toBe(1);
    expect(eventsOf(result, marginfiAccountPlaceRebalanceOrderEvent)).toMatchObject([
      { mint: world.mint, allowedBanks: [kamino, juplend, own], cooldown: DAY },
    ]);
  });

  it('asks for a deposit in one of two to eight banks, and for no debt', () => {
    const [kamino, juplend, own] = world.banks as [ReturnType<typeof world.bank>, never, never];
    expect(errorOf(world.place({}, [juplend, own]))).toBe('RebalanceNoAllowlistPosition');
    expect(errorOf(world.place({}, [kamino]))).toBe('InvalidBalanceCount');
    expect(errorOf(world.place({ minImprovement: -1n }))).toBe('RebalanceInvalidMinImprovement');
    const list = world.chain.healthAccounts(world.owner.account, { with: [world.chain.bank('USDT').address] });
    expectDone(world.chain.send(world.owner.wallet, act.ensureTokenAccount(world.owner, world.chain.bank('USDT'))));
    const debt = act.borrow(world.owner, world.chain.bank('USDT'), 1_000_000n, list);
    const refreshes = rebalance.refreshRates([kamino], world.read);
    expectDone(world.chain.send(world.owner.wallet, ...refreshes, debt));
    expect(errorOf(world.place({}, [kamino, world.chain.bank('USDT')]))).toBe('RebalanceAllowlistLiability');
    expectDone(world.place({}));
  });

  it('holds the account open: it cannot be closed before its orders are', () => {
    place();
    expect(errorOf(world.chain.send(world.owner.wallet, act.closeAccount(world.owner)))).toBe('IllegalAction');
  });
});

describe('marginfi_account_update_rebalance_order', () => {
  it('changes what is named and leaves the rest', () => {
    place({ amount: 7n });
    expectDone(world.update({ cooldownSeconds: 60n, keeperTip: TIP }));
    expect(world.order()).toMatchObject({ cooldownSeconds: 60n, keeperTip: TIP, amount: 7n, allowedBankCount: 3 });
    expectDone(world.update({ allowedBanks: world.banks.slice(0, 2).map(({ address }) => address) }));
    expect(world.order().allowedBankCount).toBe(2);
    expect(world.order().allowedBanks[2]).toBe('11111111111111111111111111111111');
    expect(errorOf(world.update({ minImprovement: -1n }))).toBe('RebalanceInvalidMinImprovement');
  });
});

describe('marginfi_account_close_rebalance_order', () => {
  const close = (authority: typeof world.owner.wallet | null, payer = world.keeper.wallet) =>
    world.chain.send(
      payer,
      rebalance.closeRebalanceOrder(world.owner.account, world.mint, { authority, receiver: world.keeper.wallet }),
    );

  it('is the owner’s at any time, and pays the rent to whom it names', () => {
    place();
    const before = world.lamports(world.keeper.wallet);
    const result = expectDone(close(world.owner.wallet, world.owner.wallet));
    expect(world.lamports(world.keeper.wallet) - before).toBe((416n + 128n) * 6_960n);
    expect(world.chain.marginfiAccount(world.owner.account).activeOrders).toBe(0);
    expect(eventsOf(result, marginfiAccountCloseRebalanceOrderEvent)).toHaveLength(1);
  });

  it('is anyone’s once the account has nothing left in the order’s banks', () => {
    place();
    expect(errorOf(close(null))).toBe('LiquidatorOrderCloseNotAllowed');
    const all = world.sharesIn(world.bank('kamino'));
    const owner = { hands: world.owner } as const;
    Object.defineProperty(world, 'hands', { value: owner.hands });
    expectDone(world.chain.send(world.owner.wallet, ...world.withdrawal(all)));
    const result = expectDone(close(null));
    expect(eventsOf(result, keeperCloseRebalanceOrderEvent)).toMatchObject([{ header: { signer: null } }]);
  });
});

describe('the fee pool', () => {
  const rent = 128n * 6_960n;

  it('is filled up to its rent besides, and drained rather than left below it', () => {
    const result = fund(TIP);
    expect(world.lamports(pool())).toBe(TIP + rent);
    expect(eventsOf(result, rebalanceFeePoolTopUpEvent)).toMatchObject([{ amount: TIP, newBalance: TIP + rent }]);
    const take = (lamports: bigint) =>
      expectDone(world.chain.send(world.owner.wallet, rebalance.withdrawFeePool(world.owner, lamports)));
    take(TIP / 2n);
    expect(world.lamports(pool())).toBe(TIP / 2n + rent);
    const drained = take(TIP / 2n + 1n);
    expect(world.lamports(pool())).toBe(0n);
    expect(eventsOf(drained, rebalanceFeePoolWithdrawEvent)).toMatchObject([{ amount: TIP / 2n + rent }]);
  });

  it('is the owner’s alone', () => {
    fund(TIP);
    const thief = { wallet: world.keeper.wallet, account: world.owner.account };
    expect(errorOf(world.chain.send(thief.wallet, rebalance.withdrawFeePool(thief, 1n)))).toBe('Unauthorized');
  });
});

describe('a rebalance', () => {
  it('moves everything to the bank that pays most, and tells what it moved', () => {
    place();
    const redeemed = world.redeemed(world.sharesIn(world.bank('kamino')));
    const result = expectDone(world.send(...world.move()));
    expect(held().map((shares) => shares > 0n)).toEqual([false, false, true]);
    const [executed, ...others] = eventsOf(result, rebalanceExecutedEvent);
    expect(others).toEqual([]);
    expect(executed).toMatchObject({ executor: world.keeper.wallet, bankCount: 3, tipEscrowed: 0n });
    const lost = wholeTokens(redeemed) - (executed?.valueMoved ?? 0n);
    // A share of P0's bank is cut off at the last of 48 bits.
    expect(lost).toBeGreaterThanOrEqual(0n);
    expect(lost).toBeLessThan(wholeTokens(1n));
    const { accountFlags, rebalanceExecutionSeq } = world.chain.marginfiAccount(world.owner.account);
    expect([accountFlags, rebalanceExecutionSeq]).toEqual([0n, 1n]);
    expect(world.order().lastExecTimestamp).toBe(world.chain.context.unixTimestamp);
    // Without a tip nothing waits.
    expect(world.lamports(world.recordOf(0n))).toBe(0n);
  });

  it('leads to JupLend where the order knows no better bank', () => {
    const banks = world.banks.slice(0, 2);
    expectDone(world.place({ minImprovement: parseI80F48('0.005') }, banks));
    expectDone(world.send(...world.move({ to: 1, banks })));
    expect(held().map((shares) => shares > 0n)).toEqual([false, true, false]);
  });

  it('clears a liquidation tag', () => {
    place();
    world.chain.edit(world.owner.account, (data) => data.fill(1, TAGGED_AT, TAGGED_AT + 8));
    expectDone(world.send(...world.move()));
    expect(world.chain.marginfiAccount(world.owner.account).liquidationTaggedAt).toBe(0n);
  });

  it.each([
    ['by less than the order asks for', { minImprovement: parseI80F48('0.02') }, 2, 'RebalanceNotImproving'],
    ['past a better bank', { minImprovement: 0n }, 1, 'RebalanceNotBestVenue'],
    ['by more than the order allows', { amount: 1_000_000_000n }, 2, 'RebalanceExceedsAmount'],
  ])('is refused when it improves %s', (_, terms, to, error) => {
    place(terms);
    expect(errorOf(world.send(...world.move({ to })))).toBe(error);
    expect(world.chain.marginfiAccount(world.owner.account).accountFlags).toBe(0n);
  });

  it('waits for the order’s cooldown, and must have the account’s next number', () => {
    place({ cooldownSeconds: 600n });
    expectDone(world.send(...world.move({ percent: 40n })));
    expect(errorOf(world.send(...world.move({ percent: 40n })))).toBe('RebalanceStaleExecutionSeq');
    expect(errorOf(world.send(...world.move({ percent: 40n, sequence: 1n })))).toBe('RebalanceCooldown');
    world.chain.wait(600n);
    expectDone(world.send(...world.move({ percent: 40n, sequence: 1n })));
  });

  it('knows no bank on Save', () => {
    const banks = [world.bank('kamino'), world.bank('solend')];
    expectDone(world.place({ minImprovement: 0n }, banks));
    expect(errorOf(world.send(...world.move({ to: 1, banks })))).toBe('RebalanceVenueUnsupported');
  });

  it('is of one mint', () => {
    const banks = [world.bank('kamino'), world.chain.bank('USDT')];
    expectDone(world.place({ minImprovement: 0n }, banks));
    const start = world.start([{ from: 0, to: 1, amount: wholeTokens(1n) }], 0n, banks);
    expect(errorOf(world.send(start))).toBe('RebalanceMintMismatch');
  });

  it('asks that what the rates are read from is of this slot', () => {
    place();
    world.chain.wait(10n);
    expect(errorOf(world.chain.send(world.keeper.wallet, ...world.move()))).toBe('ReserveStale');
  });

  it('conserves: no token may stay with the keeper', () => {
    place();
    const all = world.sharesIn(world.bank('kamino'));
    const redeemed = world.redeemed(all);
    const short = (announced: bigint, deposited: bigint) =>
      errorOf(
        world
          .fork()
          .send(
            world.start([{ from: 0, to: 2, amount: wholeTokens(redeemed - announced) }]),
            ...world.withdrawal(all),
            ...world.deposit(world.bank('p0'), redeemed - deposited),
            world.end(world.bank('p0'), { isDrained: true }),
          ),
      );
    // Three base units for one move, times what a receipt of the dearest bank is worth; for each bank, and for all together.
    expect([short(0n, 2n), short(0n, 5n), short(2n, 4n)]).toEqual([null, 'RebalanceValueLeak', 'RebalanceValueLeak']);
  });

  it('goes where it was announced to go', () => {
    place();
    const all = world.sharesIn(world.bank('kamino'));
    const redeemed = world.redeemed(all);
    const result = world.send(
      world.start([{ from: 0, to: 2, amount: wholeTokens(redeemed) }]),
      ...world.withdrawal(all),
      ...world.deposit(world.bank('juplend'), redeemed),
      world.end(world.bank('juplend'), { isDrained: true }),
    );
    expect(errorOf(result)).toBe('RebalanceValueLeak');
  });

  it('moves something', () => {
    place();
    const start = world.start([{ from: 0, to: 2, amount: wholeTokens(2n) }]);
    const end = rebalance.endRebalance(
      world.execution(0n),
      world.banks,
      world.chain.healthAccounts(world.owner.account),
      world.read,
    );
    expect(errorOf(world.send(start, end))).toBe('RebalanceIncompleteMove');
  });

  it('does not use a bank as source and destination', () => {
    place();
    const amount = wholeTokens(1_000_000n);
    const moves = [
      { from: 0, to: 1, amount },
      { from: 1, to: 2, amount },
    ];
    expect(errorOf(world.send(world.start(moves)))).toBe('RebalanceBankSourceAndDestination');
  });

  it('moves a balance that an order holds whole, and its tag with it', () => {
    place();
    setTag(7);
    expect(errorOf(world.fork().send(...world.move({ percent: 40n })))).toBe('RebalanceTaggedBalanceSplit');
    expectDone(world.send(...world.move()));
    const { balances } = world.chain.marginfiAccount(world.owner.account).lendingAccount;
    expect(balances.filter(({ active }) => active !== 0)).toMatchObject([{ bankPk: world.bank('p0').address, tag: 7 }]);
  });
});

describe('the transaction of a rebalance', () => {
  const parts = () => {
    const [start, ...rest] = world.move();
    const end = rest.pop();
    if (start === undefined || end === undefined) throw new TypeError('A rebalance has a start and an end');
    return { start, legs: rest, end };
  };
  const otherLeg = (): readonly Instruction[] => world.deposit(world.bank('p0'), 1n, world.keeper);

  it.each([
    ['goes on after its end', () => [...world.move(), ...otherLeg()], 'EndNotLast'],
    ['pays someone', () => [transferOf(world.keeper.wallet, world.owner.wallet, 1n), ...world.move()], 'ForbiddenIx'],
    [
      'deposits into another account',
      () => [parts().start, ...otherLeg(), ...parts().legs, parts().end],
      'RebalanceForeignAccountLeg',
    ],
    [
      'deposits into a bank that is not the order’s',
      () => [parts().start, act.deposit(world.hands, world.chain.bank('USDT'), 1n), ...parts().legs, parts().end],
      'RebalanceForeignBankLeg',
    ],
    ['starts twice', () => [parts().start, ...world.move()], 'RebalanceMalformedSandwich'],
    [
      'borrows',
      () => [parts().start, act.borrow(world.hands, world.bank('p0'), 1n, []), ...parts().legs, parts().end],
      'ForbiddenIx',
    ],
  ])('is refused when it %s', (_, instructions, error) => {
    place();
    expect(errorOf(world.send(...instructions()))).toBe(error);
  });

  it('is ended by its executor alone', () => {
    place();
    const { start, legs, end } = parts();
    const accounts = (end.accounts ?? []).map((meta, index) =>
      index === 4 ? { ...meta, address: world.owner.wallet } : meta,
    );
    const result = world.send(start, ...legs, { ...end, accounts });
    expect(errorOf(result)).toBe('Unauthorized');
  });

  it('lets no other wallet act for the owner outside of one', () => {
    place();
    expect(errorOf(world.send(...parts().legs))).toBe('Unauthorized');
  });

  it('is refused while the account is busy with something else', () => {
    place();
    world.chain.edit(world.owner.account, (data) => data.fill(2, FLAGS, FLAGS + 1));
    expect(errorOf(world.send(...world.move()))).toBe('UnexpectedOrderExecutionState');
  });
});

describe('a tip', () => {
  const rent = (1_872n + 128n) * 6_960n;
  const settled = (result: Parameters<typeof eventsOf>[0]) => eventsOf(result, rebalanceTipSettledEvent);

  it('waits in the record for the part that moved, and goes to the keeper once the moves have paid', () => {
    place({ keeperTip: TIP, cooldownSeconds: 700n });
    fund();
    const result = expectDone(world.send(...world.move({ percent: 50n })));
    const tip = eventsOf(result, rebalanceExecutedEvent)[0]?.tipEscrowed ?? 0n;
    expect(tip).toBeGreaterThan(TIP / 2n - 10n);
    expect(tip).toBeLessThan(TIP / 2n + 10n);
    expect(world.lamports(world.recordOf(0n))).toBe(rent + tip);
    expect(world.record(0n)).toMatchObject({ pendingTip: tip, settleDelay: 700n, moveCount: 1, refBankCount: 3 });
    world.chain.wait(699n);
    expect(errorOf(world.send(world.settle()))).toBe('RebalanceSettleTooEarly');
    world.chain.wait(1n);
    const before = world.lamports(world.keeper.wallet);
    const paid = expectDone(world.send(world.settle()));
    expect(settled(paid)).toMatchObject([{ realized: true, tipPaid: tip, executor: world.keeper.wallet }]);
    expect(world.lamports(world.keeper.wallet) - before).toBe(rent + tip - paid.fee);
    expect(world.lamports(world.recordOf(0n))).toBe(0n);
  });

  it('goes back where the destination earned less since, or to the keeper where there is no pool any more', () => {
    place({ keeperTip: TIP });
    fund();
    const result = expectDone(world.send(...world.move()));
    const tip = eventsOf(result, rebalanceExecutedEvent)[0]?.tipEscrowed ?? 0n;
    world.chain.wait(3_600n);
    // What a share of the destination's bank is worth.
    const spoil = (chain: RebalanceWorld) =>
      chain.chain.edit(chain.bank('p0').address, (data) => new DataView(data.buffer).setBigInt64(80, 1n << 47n, true));
    const drained = world.fork();
    spoil(world);
    const filled = world.lamports(pool());
    expect(settled(expectDone(world.send(world.settle())))).toMatchObject([{ realized: false, tipPaid: 0n }]);
    expect(world.lamports(pool())).toBe(filled + tip);
    expectDone(drained.chain.send(drained.owner.wallet, rebalance.withdrawFeePool(drained.owner, 10n * TIP)));
    spoil(drained);
    expect(settled(expectDone(drained.send(drained.settle())))).toMatchObject([{ realized: false, tipPaid: tip }]);
  });

  it('is never more than the pool has above its rent', () => {
    place({ keeperTip: TIP });
    fund(TIP / 4n);
    const result = expectDone(world.send(...world.move()));
    expect(eventsOf(result, rebalanceExecutedEvent)).toMatchObject([{ tipEscrowed: TIP / 4n }]);
  });
});
