import { describe, expect, it } from 'vitest';
import { createMessage, decodeMessage, encodeMessage } from './message.ts';
import type { EventOf, Topic } from './topics.ts';

const [ACCOUNT, BANK, WALLET] = [
  '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB',
  'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh',
  '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
];
const SIGNATURE = '5'.repeat(88);
const WIDE = '18446744073709551615';
const SHARES = '0.000000000000003552713678800500929355621337890625';
const WINDOW = {
  maxOutflow: WIDE,
  windowDuration: '3600',
  windowStart: '0',
  prevWindowOutflow: '-1',
  curWindowOutflow: '1',
};
const BAND = { spot: '145', low: '144', high: '146' };

/** One payload of each topic that tells of accounts, with everything in it that can be there. */
const PAYLOADS = {
  'account.updated.v1': {
    account: ACCOUNT,
    writeVersion: WIDE,
    state: {
      group: BANK,
      authority: WALLET,
      flags: WIDE,
      balances: [
        {
          slot: 15,
          bank: BANK,
          assetTag: 2,
          tag: 65_535,
          assetShares: SHARES,
          liabilityShares: '0',
          lastUpdate: '1',
          premiumRate: 4_294_967_295,
          premiumOutstanding: SHARES,
        },
      ],
      lastUpdate: '1763719200',
      migratedFrom: null,
      migratedTo: ACCOUNT,
      derivation: { index: 0, thirdPartyId: 65_535 },
      emissionsDestination: null,
      liquidationRecord: WALLET,
      activeOrders: 255,
      liquidationTaggedAt: '-1',
    },
  },
  'order.updated.v1': {
    order: BANK,
    account: ACCOUNT,
    writeVersion: null,
    state: { trigger: 'both', stopLoss: SHARES, takeProfit: '-1.5', maxSlippage: '0.01', tags: [0, 65_535] },
  },
  'rebalance.updated.v1': {
    order: BANK,
    account: ACCOUNT,
    writeVersion: null,
    state: {
      mint: BANK,
      banks: [BANK, ACCOUNT],
      minImprovement: '0.05',
      cooldownSeconds: WIDE,
      amountBase: null,
      keeperTipLamports: WIDE,
      lastExecutedAt: null,
      feePoolLamports: WIDE,
    },
  },
  'wallet.updated.v1': {
    wallet: WALLET,
    lamports: WIDE,
    holdings: [
      {
        tokenAccount: ACCOUNT,
        mint: BANK,
        tokenProgram: 'token_2022',
        decimals: 9,
        amountBase: WIDE,
        isFrozen: true,
        symbol: 'TOK',
        name: null,
      },
    ],
    holdingsLeftOut: 3,
  },
  'activity.recorded.v1': {
    id: `${SIGNATURE}:2:7`,
    signature: SIGNATURE,
    instructionIndex: 2,
    innerIndex: 7,
    kind: 'liquidation',
    groupId: `${SIGNATURE}:0`,
    account: ACCOUNT,
    authority: WALLET,
    actor: BANK,
    group: BANK,
    counterparty: WALLET,
    feeLamports: '5000',
    tipLamports: '0',
    finality: 'confirmed',
    legs: [
      {
        bank: BANK,
        mint: WALLET,
        action: 'seize',
        amountBase: null,
        shares: `-${SHARES}`,
        closesSide: true,
        premium: { settledBase: WIDE, writtenOffBase: null },
      },
    ],
    liquidation: {
      liquidator: BANK,
      assetBank: BANK,
      liabilityBank: null,
      seizedBase: WIDE,
      repaidBase: null,
    },
    rebalance: { order: BANK, executor: WALLET, record: ACCOUNT, moved: SHARES, tipLamports: WIDE, realized: null },
  },
  'group.changed.v1': {
    id: `${SIGNATURE}:2:7#1`,
    group: WALLET,
    bank: null,
    actor: ACCOUNT,
    finality: 'finalized',
    change: { kind: 'premium_sweep', collectedBase: WIDE, outstandingBase: null },
  },
  'slot.finalized.v1': { root: WIDE, slots: ['0', WIDE] },
  'fork.dropped.v1': { slots: ['7'] },
  'address.followed.v1': { address: WALLET, aspect: 'accounts', accounts: [ACCOUNT], isComplete: false },
  'index.progressed.v1': {
    task: `activity:${WALLET}:100`,
    kind: 'activity',
    address: WALLET,
    fromSlot: '100',
    untilSlot: '5',
    cursor: { signature: SIGNATURE, slot: '50' },
    done: 12,
    total: null,
    isComplete: false,
  },
  'bank.measured.v1': {
    bank: BANK,
    ledger: {
      assetShareValue: SHARES,
      liabilityShareValue: '1',
      totalAssetShares: '10',
      totalLiabilityShares: '5',
      insuranceFees: '0',
      groupFees: '0',
      programFees: '0',
      lendingPositions: -1,
      borrowingPositions: 2,
      flags: WIDE,
      depositLimit: WIDE,
      borrowLimit: '0',
      operationalState: 1,
      originationFee: '0',
      rateLimiter: { hourly: WINDOW, daily: WINDOW },
      lastUpdate: '1',
      stored: {
        ...{ assetShareValue: SHARES, liabilityShareValue: '1', accruesFrom: '0' },
        ...{ depositApr: '0.02', borrowApr: '0.06' },
      },
      breaker: {
        tiersBps: [500, 1_000, 65_535],
        windowMaxUpBps: 0,
        windowMaxDownBps: 4_000,
        tier: 3,
        haltEndedAt: '1763719260',
        referencePrice: '145.5',
        windowReferencePrice: '0',
        preBreakState: 5,
      },
      premium: { tag: 4, isActive: true, activatedAt: '1791000000', collected: SHARES },
    },
    price: { spot: BAND, ema: { error: 'OracleStale' }, hasBorrowingPower: false },
    vaultBase: null,
    transferFee: { basisPoints: 100, maximumFeeBase: WIDE },
    group: {
      isPaused: false,
      rateLimiter: { hourly: WINDOW, daily: WINDOW },
      programFeeRate: '0.025',
      sameAssetLeverage: { init: '10', maint: '20' },
      premiumPairs: [{ collateralTag: 1, liabilityTag: 4, rate: 42_949_672 }],
    },
  },
} as const satisfies { readonly [T in Topic]?: EventOf<T> };

type AccountTopic = keyof typeof PAYLOADS;
const TOPICS_HERE = Object.keys(PAYLOADS) as AccountTopic[];

/** The topic's payload as it is on the wire, a part of it changed. */
function wire(topic: AccountTopic, changed: Readonly<Record<string, unknown>> = {}): string {
  const message = createMessage({
    topic: topic as Topic,
    key: ACCOUNT ?? '',
    slot: 7n,
    unixTimestamp: 1_763_719_200n,
    source: 'chain',
    payload: PAYLOADS[topic] as EventOf<Topic>,
  });
  return encodeMessage({ ...message, payload: { ...message.payload, ...changed } as EventOf<Topic> });
}

describe('events of accounts', () => {
  it.each(TOPICS_HERE)('%s comes back as it was told, to the last digit', (topic) => {
    expect(decodeMessage(topic, wire(topic)).payload).toEqual(PAYLOADS[topic]);
  });

  it.each(TOPICS_HERE)('%s leaves out a field that it does not have yet', (topic) => {
    expect(decodeMessage(topic, wire(topic, { extra: 1 }))).toEqual(decodeMessage(topic, wire(topic)));
  });

  it('tells of an account or order that is gone by no state', () => {
    expect(decodeMessage('account.updated.v1', wire('account.updated.v1', { state: null })).payload.state).toBeNull();
    expect(decodeMessage('order.updated.v1', wire('order.updated.v1', { state: null })).payload.state).toBeNull();
  });

  const { state } = PAYLOADS['account.updated.v1'];
  it.each<[AccountTopic, string, Readonly<Record<string, unknown>>]>([
    [
      'account.updated.v1',
      'shares as a float',
      { state: { ...state, balances: [{ ...state.balances[0], assetShares: 0.5 }] } },
    ],
    [
      'account.updated.v1',
      'a seventeenth balance',
      { state: { ...state, balances: Array(17).fill(state.balances[0]) } },
    ],
    ['account.updated.v1', 'a negative write version', { writeVersion: '-1' }],
    ['order.updated.v1', 'one tag', { state: { ...PAYLOADS['order.updated.v1'].state, tags: [1] } }],
    ['wallet.updated.v1', 'lamports as a number', { lamports: 5 }],
    ['activity.recorded.v1', 'an id of another instruction', { id: `${SIGNATURE}:3:7` }],
    ['activity.recorded.v1', 'an id without its inner instruction', { id: `${SIGNATURE}:2` }],
    ['activity.recorded.v1', 'a kind that is none', { kind: 'theft' }],
    ['activity.recorded.v1', 'a signature that is too short', { signature: '5'.repeat(63) }],
    ['fork.dropped.v1', 'no slot', { slots: [] }],
    ['slot.finalized.v1', 'a slot as a number', { slots: [7] }],
    ['address.followed.v1', 'an aspect that nobody follows', { aspect: 'dreams' }],
    ['index.progressed.v1', 'a task without a name', { task: '' }],
    ['bank.measured.v1', 'a price that is neither', { price: {} }],
  ])('%s refuses %s', (topic, _what, changed) => {
    expect(() => decodeMessage(topic, wire(topic, changed))).toThrow(
      expect.objectContaining({ code: 'BUS__MESSAGE_MALFORMED' }),
    );
  });
});
