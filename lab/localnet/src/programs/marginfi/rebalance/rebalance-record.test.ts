import { I80F48_ONE } from '@lending/domain';
import { rebalanceRecordLayout } from '@lending/programs';
import { expect, it } from 'vitest';
import { topUpFeePool } from '#market/rebalance-instructions.ts';
import { expectDone } from '../testing/expect-outcome.ts';
import { RebalanceWorld } from '../testing/rebalance-order.ts';

/** What a record of 0.1.12 holds where, by the offsets of the reference, apart from `rebalanceRecordLayout`. */
it('lies in a record as the program lays it out', async () => {
  const world = await RebalanceWorld.open();
  expectDone(world.place({ minImprovement: 0n, keeperTip: 5_000_000n }));
  const { wallet, account } = world.owner;
  expectDone(world.chain.send(wallet, topUpFeePool(wallet, account, 1_000_000n)));
  expectDone(world.send(...world.move({ percent: 50n })));
  const data = world.read(world.recordOf(0n));
  const view = new DataView(data.buffer, data.byteOffset);
  const u64 = (at: number) => view.getBigUint64(at, true);
  expect(data).toHaveLength(1_872);
  expect(Buffer.from(data.subarray(0, 8)).toString('hex')).toBe('be45e47222d94666');
  // The second of the reference banks, the moves, rates, indices and times.
  expect([view.getUint8(552), view.getUint8(553)]).toEqual([0, 2]);
  expect(u64(560) / I80F48_ONE).toBe(1_999n);
  expect(u64(104 + 32) / I80F48_ONE).toBe(3_999n);
  expect(Number(u64(1_584 + 32)) / 2 ** 48).toBeCloseTo(0.0395, 3);
  expect(Number(u64(1_712 + 32)) / 2 ** 48).toBeGreaterThan(1.17);
  expect([u64(1_840), u64(1_848), u64(1_856)]).toEqual([world.chain.context.unixTimestamp, 1_000_000n, 3_600n]);
  expect([...data.subarray(1_864, 1_867)]).toEqual([3, 1, 0]);
  const decoded = rebalanceRecordLayout.decode(data);
  expect(decoded).toMatchObject({ marginfiAccount: account, executor: world.keeper.wallet, pendingTip: 1_000_000n });
  expect(Uint8Array.from(rebalanceRecordLayout.encode(decoded))).toEqual(Uint8Array.from(data));
});
