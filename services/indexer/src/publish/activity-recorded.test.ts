import { parseI80F48 } from '@lending/domain';
import { decodeMessage, encodeMessage } from '@lending/events';
import { anyAddress } from '@lending/fakes';
import type { Activity } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { anySignature } from '#testing/messages.ts';
import { toActivityRecorded } from './activity-recorded.ts';

const [BANK, MINT, ACCOUNT, OWNER] = [anyAddress(1), anyAddress(2), anyAddress(3), anyAddress(4)];
const [KEEPER, ORDER] = [anyAddress(5), anyAddress(6)];
const signature = anySignature(1);
const leg = { bank: BANK, mint: MINT, action: 'repay', amountBase: 900n, shares: null, closesSide: false } as const;
const activity: Activity = {
  id: `${signature}:2`,
  instructionIndex: 2,
  innerIndex: null,
  kind: 'order',
  groupId: null,
  account: ACCOUNT,
  authority: OWNER,
  actor: KEEPER,
  group: MINT,
  counterparty: null,
  legs: [{ ...leg, premium: { settledBase: 2n ** 64n - 1n, writtenOffBase: null } }, leg],
  liquidation: null,
  rebalance: {
    order: ORDER,
    executor: KEEPER,
    record: null,
    moved: parseI80F48('1.5'),
    tipLamports: 2n ** 64n - 1n,
    realized: null,
  },
};
const origin = {
  signature,
  slot: 7n,
  unixTimestamp: 1_791_000_000n,
  feeLamports: 5_000n,
  finality: 'confirmed',
} as const;

describe('toActivityRecorded', () => {
  it('has premium and rebalances exact, and nothing where there was none', () => {
    const { rebalance: _rebalance, ...without } = activity;
    const [whole, plain] = [activity, without].map((each) => {
      const message = toActivityRecorded(each, origin, { tipLamports: 0n }, 'localnet');
      const decoded = decodeMessage('activity.recorded.v1', encodeMessage(message));
      expect(decoded).toEqual(message);
      return message.payload;
    });
    expect(whole?.legs.map(({ premium }) => premium)).toEqual([
      { settledBase: '18446744073709551615', writtenOffBase: null },
      null,
    ]);
    expect(whole?.rebalance).toEqual({
      order: ORDER,
      executor: KEEPER,
      record: null,
      moved: '1.5',
      tipLamports: '18446744073709551615',
      realized: null,
    });
    expect(plain?.rebalance).toBeNull();
  });

  it('has the order to rebalance that was placed, and nothing invented beside it', () => {
    const rebalance = { order: ORDER, executor: null, record: null, moved: null, tipLamports: null, realized: null };
    const message = toActivityRecorded({ ...activity, rebalance }, origin, { tipLamports: 0n }, 'localnet');
    expect(decodeMessage('activity.recorded.v1', encodeMessage(message)).payload.rebalance).toEqual(rebalance);
  });
});
