import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { EnvelopeTokenChange } from '#records/envelope-fields.ts';
import type { Movement } from '#records/landing-fields.ts';
import { ACCOUNT, SOL_MINT, WALLET } from '../testing/account-rows.ts';
import { CHAIN_TIME_MS, SOL_BANK, USDC_BANK, USDC_MINT } from '../testing/bank-row.ts';
import { buildOf, compiled, leverageRequest, PROGRAM, SWAP } from '../testing/fake-builds.ts';
import { wireTransaction } from '../testing/wire-transaction.ts';
import type { LeverageRequest } from './build-request.ts';
import { comparePlan } from './compare-plan.ts';
import { toEnvelope } from './envelope.ts';
import { readWire } from './read-wire.ts';

const WIRE = wireTransaction(PROGRAM);
const REQUEST = leverageRequest({ account: address(ACCOUNT), createsAccount: false });
/** Of a swap for SOL whose minimum is 13,300,001 lamports under what was quoted. */
const SLIPPAGE = SWAP.quote.outBase - SWAP.quote.minOutBase;
const PROMISED = -2_500_000_000n;

function native(deltaBase: bigint) {
  return { mint: address(SOL_MINT), symbol: 'SOL', decimals: 9, isNativeSol: true, deltaBase, priceUsd: null };
}

function planOf(kind: LeverageRequest['kind']) {
  const build = buildOf(
    { ...REQUEST, kind },
    {
      transactions: [
        compiled({
          type: kind === 'loop' ? 'LOOP' : 'CLOSE_POSITION',
          wire: new Uint8Array(Buffer.from(WIRE, 'base64')),
        }),
      ],
      tokenChanges: [native(PROMISED)],
    },
  );
  const envelope = toEnvelope(build, {
    planId: 'plan',
    previewOnly: false,
    isRebuilt: false,
    warnings: [],
    nextActions: [],
    source: 'chain',
    nowMs: CHAIN_TIME_MS,
    staleAfterMs: 30_000,
  });
  return { envelope, row: { id: 'plan' } } as unknown as Parameters<typeof comparePlan>[0];
}

function movement(kind: string, bank: string, account = ACCOUNT): Movement {
  return { kind, account, bank, symbol: null, amount_ui: null, amount_raw: null };
}

const LOOPED = [movement('borrow', USDC_BANK), movement('deposit', SOL_BANK)];
const CLOSED = [movement('withdraw', SOL_BANK), movement('repay', USDC_BANK), movement('deposit', USDC_BANK)];

function compare(
  activity: readonly Movement[],
  kind: LeverageRequest['kind'] = 'loop',
  changes: readonly EnvelopeTokenChange[] = [landed(PROMISED)],
) {
  const landing = { record: { isFailed: false }, wire: readWire(WIRE), activity, changes };
  return comparePlan(planOf(kind), landing as never);
}

function landed(delta: bigint, mint = SOL_MINT, isNative = true): EnvelopeTokenChange {
  return { mint, symbol: null, delta_ui: 0, delta_raw: String(delta), delta_usd: null, is_native_sol: isNative };
}

describe('comparePlan', () => {
  it('finds both legs of a loop and of a close', () => {
    expect(compare(LOOPED)).toMatchObject({ matches: true, compared: ['activity', 'token_changes'], differences: [] });
    expect(compare(CLOSED, 'close_position')).toMatchObject({ matches: true, differences: [] });
  });

  it.each([
    ['a loop without its loan', 'loop', [movement('deposit', SOL_BANK)], `borrow in ${USDC_BANK} on ${ACCOUNT}`],
    [
      'a deposit elsewhere',
      'loop',
      [LOOPED[0], movement('deposit', USDC_BANK)],
      `deposit in ${SOL_BANK} on ${ACCOUNT}`,
    ],
    ['a close that repaid nothing', 'close_position', [CLOSED[0]], `repay in ${USDC_BANK} on ${ACCOUNT}`],
    [
      'another account',
      'loop',
      [LOOPED[0], movement('deposit', SOL_BANK, WALLET)],
      `deposit in ${SOL_BANK} on ${ACCOUNT}`,
    ],
  ] as const)('names %s', (_what, kind, activity, promised) => {
    const { matches, differences } = compare(activity as readonly Movement[], kind);
    expect(matches).toBe(false);
    expect(differences).toMatchObject([{ field: 'activity', promised }]);
  });

  it('lets a swap give as little as its minimum, and no less', () => {
    expect(compare(LOOPED, 'loop', [landed(PROMISED - SLIPPAGE)]).matches).toBe(true);
    expect(compare(LOOPED, 'loop', [landed(PROMISED + 900_000_000n)]).matches).toBe(true);
    const worse = compare(LOOPED, 'loop', [landed(PROMISED - SLIPPAGE - 1n)]);
    expect(worse).toMatchObject({ matches: false, differences: [{ field: 'token_changes.native' }] });
  });

  it('lets nothing else slip', () => {
    const { matches, differences } = compare(LOOPED, 'loop', [landed(PROMISED), landed(-1n, USDC_MINT, false)]);
    expect(matches).toBe(false);
    expect(differences).toEqual([{ field: `token_changes.${USDC_MINT}`, promised: '0', actual: '-1' }]);
  });
});
