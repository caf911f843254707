import { computeCachedRates, createPointsCurve, I80F48_ONE, integerToI80F48 } from '@lending/domain';
import { type AccountContent, bankContent, createLineLogger, GROUP, groupContent } from '@lending/fakes';
import { bankLayout, marginfiGroupLayout } from '@lending/programs';
import type { Address, Slot } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { bankAddress } from '#testing/messages.ts';
import { createAuditor } from './auditor.ts';

const BANK = bankAddress(1);
const [ZERO_RATE, FULL_RATE] = [42_949_672, 128_849_018];
const CURVE = createPointsCurve(ZERO_RATE, FULL_RATE, []);
const NO_FEE = { rate: 0n, fixedApr: 0n };

/** A bank that lends so many of a thousand tokens, whose cached borrow rate is right, or off by so many units. */
function lending(lent: bigint, offBy = 0): AccountContent {
  const shares = {
    assetShareValue: I80F48_ONE,
    liabilityShareValue: I80F48_ONE,
    totalAssetShares: integerToI80F48(1_000n),
    totalLiabilityShares: integerToI80F48(lent),
  };
  const cached = computeCachedRates(shares, CURVE, { insurance: NO_FEE, group: NO_FEE, program: null });
  if (cached.kind === 'refused' || cached.rates === null) throw new Error('the bank has no rates');
  const { owner, data } = bankContent(shares);
  const bank = bankLayout.decode(data);
  const { config, cache } = bank;
  const interestRateConfig = {
    ...config.interestRateConfig,
    curveType: 1,
    zeroUtilRate: ZERO_RATE,
    hundredUtilRate: FULL_RATE,
  };
  const rates = { ...cached.rates, borrowingRate: cached.rates.borrowingRate + offBy };
  const written = { ...bank, config: { ...config, interestRateConfig }, cache: { ...cache, ...rates } };
  return { owner, data: Uint8Array.from(bankLayout.encode(written)) };
}

function createWatch(known: Parameters<ReturnType<typeof createAuditor>['recall']>[0] | null = []) {
  const { logger, lines } = createLineLogger();
  const auditor = createAuditor({ program: groupContent().owner, group: GROUP, logger });
  if (known !== null) auditor.recall(known);
  const updateOf = (address: Address, slot: Slot, content: AccountContent) => ({
    address,
    slot,
    lamports: 1n,
    ...content,
  });
  const read = (address: Address, slot: Slot, content: AccountContent) =>
    auditor.read(updateOf(address, slot, content));
  const stream = (slot: Slot, content: AccountContent, address: Address = BANK) =>
    auditor.account({ kind: 'account', update: updateOf(address, slot, content), writeVersion: null });
  const pass = (slot: Slot) => auditor.slot({ kind: 'slot', slot, root: 0n });
  read(GROUP, 1n, groupContent());
  read(BANK, 1n, lending(100n));
  /** Writes the bank in a slot, and lets the slot pass. @returns the rows that changed. */
  const touch = (slot: Slot, content: AccountContent) => {
    stream(slot, content);
    pass(slot + 3n);
    return auditor.take();
  };
  return { auditor, lines, read, stream, pass, touch };
}

const NO_DIFFERENCE = { figure: 'rates', bank: BANK, compared: 3n, differed: 0n, unverifiedSince: null };

describe('createAuditor', () => {
  it('compares what the stream brings with the state before, once the slot has passed', () => {
    const { auditor, stream, pass } = createWatch();
    stream(5n, lending(200n));
    pass(7n);
    expect(auditor.take()).toEqual([]);
    pass(8n);
    expect(auditor.take()).toMatchObject([{ ...NO_DIFFERENCE, slot: 5n }]);
    expect(auditor.take()).toEqual([]);
  });

  it('says once that a figure differs, and once that it agrees again, three slots later', () => {
    const { touch, lines } = createWatch();
    expect(touch(5n, lending(200n, 1))).toMatchObject([
      { differed: 1n, unverifiedSince: 5n, lastUnits: -1n, lastDifference: { field: 'cache.borrowingRate' } },
    ]);
    expect(touch(6n, lending(300n, 7))).toMatchObject([{ differed: 2n, unverifiedSince: 5n, largestUnits: 7n }]);
    const after = [7n, 8n, 9n].flatMap((slot) => touch(slot, lending(slot * 50n)));
    expect(after.map(({ unverifiedSince }) => unverifiedSince)).toEqual([5n, 5n, null]);
    expect(lines.map(({ level, event }) => [level, event])).toEqual([
      ['error', 'bank.audit.differ'],
      ['info', 'bank.audit.agree'],
    ]);
  });

  it('goes on from what an earlier process found, with what was written before it knew', () => {
    const [row] = createWatch().touch(5n, lending(200n, 1));
    if (row === undefined) throw new Error('nothing was compared');
    const { auditor, touch, pass } = createWatch(null);
    expect(touch(6n, lending(300n))).toEqual([]);
    auditor.recall([row]);
    pass(9n);
    expect(auditor.take()).toMatchObject([{ compared: 6n, differed: 1n, unverifiedSince: 5n, agreedInRow: 1 }]);
  });

  it('takes over what another process saw to differ, and nothing that knows of less', () => {
    const [row] = createWatch().touch(5n, lending(200n, 1));
    if (row === undefined) throw new Error('nothing was compared');
    const { auditor, touch, lines } = createWatch();
    touch(6n, lending(300n));
    auditor.recall([row]);
    expect(touch(7n, lending(350n))).toMatchObject([{ differed: 1n, unverifiedSince: 5n, agreedInRow: 1 }]);
    auditor.recall([row]);
    expect(touch(8n, lending(400n))).toMatchObject([{ agreedInRow: 2 }]);
    expect(lines.map(({ event }) => event)).toEqual(['bank.audit.differ']);
  });

  it('compares nothing across a gap, nor with a state that a reading shows was missed', async () => {
    const { auditor, touch, read } = createWatch();
    expect(touch(3n, lending(150n))).toHaveLength(1);
    await auditor.gap({ kind: 'gap', fromSlot: 2n, toSlot: 4n });
    read(GROUP, 4n, groupContent());
    expect(touch(5n, lending(200n, 1))).toEqual([]);
    expect(touch(6n, lending(300n))).toHaveLength(1);
    read(BANK, 8n, lending(400n, 5));
    expect(touch(9n, lending(400n, 5))).toEqual([]);
    expect(touch(10n, lending(500n))).toMatchObject([{ differed: 0n }]);
  });

  it('takes back what a fork that lost showed, and compares nothing with its states', () => {
    const { auditor, touch, read } = createWatch();
    touch(5n, lending(200n));
    expect(touch(6n, lending(300n, 1))).toMatchObject([{ unverifiedSince: 6n }]);
    auditor.takeBack(5n);
    expect(auditor.take()).toMatchObject([{ unverifiedSince: null, differed: 1n }]);
    read(GROUP, 7n, groupContent());
    expect(touch(8n, lending(400n, 1))).toEqual([]);
  });

  it('takes a reading that is older than what the stream brought for nothing new', () => {
    const { touch, read } = createWatch();
    touch(5n, lending(200n));
    read(BANK, 4n, lending(100n));
    expect(touch(6n, lending(200n))).toEqual([]);
  });

  it('compares nothing in the slot in which the group changed, and by its new terms after', () => {
    const { stream, touch } = createWatch();
    const group = marginfiGroupLayout.decode(groupContent().data);
    const feeStateCache = { ...group.feeStateCache, programFeeFixed: I80F48_ONE / 100n };
    const data = Uint8Array.from(marginfiGroupLayout.encode({ ...group, groupFlags: 1n, feeStateCache }));
    stream(5n, { ...groupContent(), data }, GROUP);
    expect(touch(5n, lending(200n))).toEqual([]);
    // A fee of the program raises what borrowers pay: the bank below was computed without it.
    expect(touch(6n, lending(300n))).toMatchObject([{ lastDifference: { field: 'cache.borrowingRate' } }]);
  });

  it('says nothing of the rates in a slot in which prices were locked', () => {
    const { auditor, touch } = createWatch();
    const logs = ['Program MFv2 invoke [1]', 'Program log: Instruction: StartLiquidation'];
    auditor.transaction({ kind: 'transaction', signature: 's', slot: 5n, isFailed: false, record: null, logs });
    expect(touch(5n, lending(200n, 1))).toEqual([]);
    expect(touch(6n, lending(300n))).toHaveLength(1);
  });

  it('leaves out a bank that cannot be read, and begins again when it can', () => {
    const { touch } = createWatch();
    const { owner, data } = lending(200n);
    expect(touch(5n, { owner, data: data.subarray(0, 300) })).toEqual([]);
    expect(touch(6n, lending(200n, 3))).toEqual([]);
    expect(touch(7n, lending(300n))).toMatchObject([NO_DIFFERENCE]);
  });

  it('keeps rows that could not be passed on, and of each the newest', () => {
    const { auditor, touch } = createWatch();
    const rows = touch(5n, lending(200n));
    auditor.putBack(rows);
    expect(auditor.take()).toEqual(rows);
    auditor.putBack(rows);
    expect(touch(6n, lending(300n))).toMatchObject([{ slot: 6n, compared: 6n }]);
  });
});
