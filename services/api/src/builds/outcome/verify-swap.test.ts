import { MARGINFI_PROGRAM } from '@lending/programs';
import type { SizedLeverage } from '@lending/transactions';
import { charging, madeAddress, WALLET } from '@lending/transactions/testing/made-market.ts';
import { describe, expect, it } from 'vitest';
import { totalOf } from '../finish-plan.ts';
import {
  createMadeLeverage,
  FEES,
  type MadeAfter,
  type MadeLeverage,
  madeClose,
  madeLoop,
  OTHER_TOKENS,
  POOL,
  passedWith,
  tokens,
} from './testing/made-leverage.ts';
import { accountsBesideSwap, verifySwap } from './verify-swap.ts';

const COSTS = totalOf(FEES);
const STRANGER = { isSome: true, value: madeAddress(99) };
/** As it was sized: 1,000 supplied, 502 owed; 500 of the wallet's own tokens are gone. */
const LOOPED: MadeAfter = {
  balances: { collateral: 1_000_000_000n, debt: 502_000_000n },
  tokens: [-500_000_000n, 0n],
};
/** 1,010 withdrawn and sold, all 1,000 repaid, two redeposited, and three more in the wallet. */
const CLOSED: MadeAfter = {
  balances: { collateral: -1_010_000_000n, debt: -1_000_000_000n, surplus: 2_000_000n },
  tokens: [0n, 3_000_000n],
};

function verify(made: MadeLeverage, sized: SizedLeverage | readonly SizedLeverage[], after: MadeAfter): string {
  const { market } = made;
  const read = (address: string) => {
    const account = market.accounts.get(address as never);
    return account === undefined ? undefined : { address: address as never, slot: 1n, ...account };
  };
  try {
    const legs = [sized].flat().map((each) => ({ state: made.state, sized: each, readBeside: read }));
    verifySwap(legs, passedWith(made, after), COSTS);
    return 'passed';
  } catch (error) {
    const { context, code } = error as { context: { check?: string }; code: string };
    return code === 'ACTION__SWAP_UNAVAILABLE' ? String(context.check) : String(error);
  }
}

describe('verifySwap', () => {
  it('lets a loop and a close pass that did what was sized', async () => {
    const made = await createMadeLeverage();
    expect(verify(made, madeLoop(made), LOOPED)).toBe('passed');
    expect(verify(made, madeLoop(made), { ...LOOPED, tokens: [-499_000_000n, 0n] })).toBe('passed');
    expect(verify(made, madeClose(made), CLOSED)).toBe('passed');
  });

  it.each<[string, string, MadeAfter]>([
    ['a unit less than the least', 'destination', { tokens: [-500_000_001n, 0n] }],
    ['more of the source than was quoted', 'source', { tokens: [-500_000_000n, -1n] }],
    ['lamports', 'lamports', { lamports: -1n }],
    ['a debt above the loan', 'lending_account', { balances: { collateral: 1_000_000_000n, debt: 502_000_002n } }],
    ['less supplied', 'lending_account', { balances: { collateral: 999_999_998n, debt: 502_000_000n } }],
    [
      'another balance',
      'lending_account',
      { balances: { collateral: 1_000_000_000n, debt: 502_000_000n, other: -1n } },
    ],
    ['other tokens', 'foreign_account', { accounts: { [OTHER_TOKENS]: tokens({ amount: 76n }) } }],
    ['a closed token account', 'foreign_account', { accounts: { [OTHER_TOKENS]: null } }],
    [
      'a token account given away',
      'foreign_account',
      { accounts: { [OTHER_TOKENS]: tokens({ owner: POOL, amount: 77n }) } },
    ],
    [
      'an approval on other tokens',
      'foreign_account',
      { accounts: { [OTHER_TOKENS]: tokens({ amount: 77n, delegate: STRANGER, delegatedAmount: 1n }) } },
    ],
    [
      'an account of the lending program',
      'foreign_account',
      { accounts: { [POOL]: { owner: MARGINFI_PROGRAM, data: new Uint8Array(), lamports: 1n } } },
    ],
    [
      'the wallet itself',
      'wallet_rights',
      { accounts: { [WALLET]: { owner: madeAddress(98), data: new Uint8Array(), lamports: 9n } } },
    ],
  ])('refuses a loop that costs %s', async (_what, check, changes) => {
    const made = await createMadeLeverage();
    expect(verify(made, madeLoop(made), { ...LOOPED, ...changes })).toBe(check);
  });

  it.each<[string, string, MadeAfter]>([
    ['a unit less than the least', 'destination', { tokens: [0n, -3n] }],
    ['more of the source than was withdrawn', 'source', { tokens: [-1n, 3_000_000n] }],
    ['a debt that is left', 'lending_account', { balances: { collateral: -1_010_000_000n, debt: -999_999_999n } }],
    ['more collateral', 'lending_account', { balances: { ...CLOSED.balances, collateral: -1_010_000_002n } }],
  ])('refuses a close that costs %s', async (_what, check, changes) => {
    const made = await createMadeLeverage();
    expect(verify(made, madeClose(made), { ...CLOSED, ...changes })).toBe(check);
  });

  it('holds closes of which the last takes all that is left of the collateral to what each took', async () => {
    const made = await createMadeLeverage();
    const { swap, ...close } = { ...madeClose(made), redeposit: 0n };
    if (swap === null) throw new Error('a close without a swap');
    const rest = { ...swap, quote: { ...swap.quote, inBase: 3_990_000_000n } };
    const legs = [{ ...close, swap }, { ...close, withdraw: 'all', swap: rest } as const];
    const emptied = { collateral: -5_000_000_000n, debt: -1_000_000_000n };
    expect(verify(made, legs, { balances: emptied, tokens: [0n, 4_000_020n] })).toBe('passed');
    const kept = { ...emptied, collateral: -4_999_999_990n };
    expect(verify(made, legs, { balances: kept, tokens: [0n, 4_000_020n] })).not.toBe('passed');
    // Two units for rounding.
    expect(verify(made, legs, { balances: emptied, tokens: [-2n, 4_000_020n] })).toBe('passed');
    expect(verify(made, legs, { balances: emptied, tokens: [-3n, 4_000_020n] })).toBe('source');
  });

  it('counts a premium as what is owed: a repayment pays it first', async () => {
    const made = await createMadeLeverage(null, charging, 5_000_000n);
    const sized = { ...madeClose(made), repay: 900_000_000n, redeposit: 0n };
    const left = { collateral: -1_010_000_000n, debt: -895_000_000n, premium: 0n };
    expect(verify(made, sized, { balances: left, tokens: [0n, 105_000_000n] })).toBe('passed');
    const kept = { ...left, premium: 5_000_000n };
    expect(verify(made, sized, { balances: kept, tokens: [0n, 105_000_000n] })).toBe('lending_account');
    const all = { ...madeClose(made), redeposit: 0n };
    const closed = { collateral: -1_010_000_000n, debt: -1_000_000_000n };
    // 1,002.00001 at the least, and 1,005 are owed, with two units for rounding.
    expect(verify(made, all, { balances: closed, tokens: [0n, -2_999_992n] })).toBe('passed');
    expect(verify(made, all, { balances: closed, tokens: [0n, -2_999_993n] })).toBe('destination');
  });

  it.each(['source', 'destination'] as const)('refuses an approval on the %s', async (side) => {
    const made = await createMadeLeverage();
    const { market } = made;
    const approved = (fields: Parameters<typeof tokens>[0]) => {
      const mint = side === 'source' ? made.state.debt.live.mint.address : made.state.collateral.live.mint.address;
      return verify(made, madeLoop(made), {
        ...LOOPED,
        accounts: {
          [made[side]]: tokens({ mint, amount: side === 'source' ? 50_000_000n : 1_500_000_000n, ...fields }),
        },
      });
    };
    expect(market.accounts.has(made[side])).toBe(true);
    expect(approved({})).toBe('passed');
    expect(approved({ delegate: STRANGER, delegatedAmount: 5n })).toBe('wallet_rights');
    expect(approved({ closeAuthority: STRANGER })).toBe('wallet_rights');
    expect(approved({ owner: POOL })).toBe('wallet_rights');
  });

  it('counts SOL and wrapped SOL together', async () => {
    const made = await createMadeLeverage('deposit');
    // The principal out of the wallet's lamports, or out of its token account, is one.
    expect(verify(made, madeLoop(made), LOOPED)).toBe('passed');
    expect(verify(made, madeLoop(made), { ...LOOPED, tokens: [0n, 0n], lamports: -500_000_000n })).toBe('passed');
    expect(verify(made, madeLoop(made), { ...LOOPED, tokens: [0n, 0n], lamports: -500_000_001n })).toBe('destination');
  });

  it('refuses what nobody read, and asks for what is not read yet', async () => {
    const made = await createMadeLeverage();
    const sized = madeLoop(made);
    expect(accountsBesideSwap(made.state, sized)).toEqual([POOL, OTHER_TOKENS]);
    const run = () =>
      verifySwap([{ state: made.state, sized, readBeside: () => undefined }], passedWith(made, LOOPED), COSTS);
    expect(run).toThrow(expect.objectContaining({ context: expect.objectContaining({ check: 'foreign_account' }) }));
  });

  it('refuses what the simulation does not report', async () => {
    const made = await createMadeLeverage();
    const passed = passedWith(made, LOOPED);
    const after = new Map(passed.after);
    after.delete(POOL);
    const run = () =>
      verifySwap([{ state: made.state, sized: madeLoop(made), readBeside: () => null }], { ...passed, after }, COSTS);
    expect(run).toThrow(/did not report/);
  });

  it('is a fault of ours where nothing is swapped', async () => {
    const made = await createMadeLeverage();
    const sized = { ...madeLoop(made), swap: null };
    const run = () =>
      verifySwap([{ state: made.state, sized, readBeside: () => null }], passedWith(made, LOOPED), COSTS);
    expect(run).toThrow(expect.objectContaining({ code: 'INTERNAL__UNEXPECTED' }));
  });
});
