import { type EventOf, type Message, messageId, type RejectionReason, type Topic } from '@lending/events';
import { anyAddress } from '@lending/fakes';
import type { Address } from '@solana/kit';

/** Chain time of slot 0 in tests; a slot takes half a second. */
const SLOT_ZERO_MS = Date.parse('2026-11-21T00:00:00Z');

/** The nth of many banks that are nobody's. */
export const bankAddress: (nth: number) => Address = anyAddress;

export function timeOfSlot(slot: bigint): string {
  return new Date(SLOT_ZERO_MS + Number(slot) * 500).toISOString();
}

/** Makes messages of a type: about an address, in a slot, with other fields where they are named. */
const maker =
  <T extends Topic>(type: T, defaults: (address: string) => EventOf<T>) =>
  (address: string, slot: bigint, fields: Partial<EventOf<T>> = {}): Message<T> =>
    message(type, address, slot, { ...defaults(address), ...fields });

export const bankUpdated = maker('bank.updated.v1', (bank) => ({
  bank,
  group: bankAddress(900),
  venue: 'p0',
  mint: bankAddress(901),
  decimals: 6,
  tokenProgram: 'spl',
  symbol: 'USDC',
  assetTag: 0,
  operationalState: 'Operational',
  riskTier: 'Collateral',
  weights: { assetInit: '0.8', assetMaint: '0.9', liabilityInit: '1.25', liabilityMaint: '1.1' },
  depositLimit: '18446744073709551614',
  borrowLimit: null,
  totalAssetValueInitLimitUsd: '250000',
  originationFee: '0.000000000000003552713678800500929355621337890625',
  flags: '9223372036854775809',
  emode: {
    tag: 57,
    entries: [{ collateralTag: 501, assetWeightInit: '0.9', assetWeightMaint: '0.95' }],
    sameAsset: null,
  },
  oracle: { setup: 'PythPushOracle', key: bankAddress(902), maxAgeSeconds: 70 },
  rateCurve: [
    { utilization: '0', baseApr: '0' },
    { utilization: '1', baseApr: '3' },
  ],
  venueAccount: null,
}));

export function bankRejected(
  bank: string,
  slot: bigint,
  reason: RejectionReason = 'account_gone',
): Message<'bank.rejected.v1'> {
  return message('bank.rejected.v1', bank, slot, { bank, reason });
}

export const rateSampled = maker('rate.sampled.v1', (bank) => ({
  bank,
  kind: 'bank',
  venue: 'p0',
  depositApr: '0.031',
  borrowApr: '0.052',
  nativeApr: '0.07',
  emissionsDepositApr: '0.01',
  emissionsBorrowApr: null,
  utilization: '0.75',
  totalAssetsBase: '340282366920938463463374607431768211455',
  totalLiabilitiesBase: '750',
  availableLiquidityBase: '250',
  assetShareValue: '1.000000000000003552713678800500929355621337890625',
  liabilityShareValue: '1.2',
  exchangeRate: '1.168758172839506172',
  nativeExchangeRate: null,
  slotMs: '392.5',
  priceUsd: '0.9998',
}));

export const reserveUpdated = maker('reserve.updated.v1', (reserve) => ({
  reserve,
  venue: 'kamino',
  market: bankAddress(910),
  marketName: 'Main Market',
  mint: bankAddress(901),
  decimals: 6,
  receiptMint: bankAddress(912),
  symbol: 'USDC',
  status: 'restricted',
  statusReasons: ['borrow_limit_zero'],
  depositLimit: '18446744073709551614',
  depositRoom: '0',
  borrowLimit: '0',
  borrowRoom: '0',
  withdrawRoom: '12345',
  priceUsd: '0.9997',
  priceTime: '2026-11-20T23:59:57.000Z',
  incentives: [{ side: 'deposit', mint: bankAddress(911), amountPerYearBase: '1000000', decimals: 9 }],
}));

export const bankAudited = maker('bank.audited.v1', (bank) => ({
  bank,
  figure: 'rates',
  compared: '7',
  differed: '1',
  largestUnits: '429496',
  lastUnits: '-3',
  agreedInRow: 2,
  unverifiedSince: '4',
  lastDifference: {
    field: 'borrowing_rate',
    ours: '429496729',
    theirs: '429496732',
    bound: '0',
    account: bankAddress(903),
    slot: '4',
  },
}));

export const rateQuarantined = maker('rate.quarantined.v1', (bank) => ({
  bank,
  venue: 'solend',
  reason: 'rate_out_of_range',
  detail: 'a deposit APR of 1e9',
}));

export const rateBackfilled = maker('rate.backfilled.v1', (bank) => ({
  bank,
  venue: 'kamino',
  interval: '1h',
  points: [
    {
      time: '2026-11-20T00:00:00.000Z',
      depositApr: '0.03',
      borrowApr: '0.05',
      utilization: '0.6',
      totalAssetsBase: '100',
      totalLiabilitiesBase: '60',
      exchangeRate: '1.1',
      priceUsd: '1',
    },
  ],
}));

export const oraclePriced = maker('oracle.priced.v1', (bank) => ({
  bank,
  oracle: bankAddress(902),
  setup: 'PythPushOracle',
  priceUsd: '145.123456789012345678',
  priceLowUsd: '145.1',
  priceHighUsd: '145.2',
  emaPriceUsd: '144.9',
  publishTime: '2026-11-20T23:59:58.000Z',
  reason: null,
}));

/** The nth of many transaction signatures. */
export function anySignature(nth: number): string {
  return nth
    .toString(9)
    .replace(/./g, (digit) => `${Number(digit) + 1}`)
    .padStart(88, '1');
}

export function accountUpdated(
  account: string,
  slot: bigint,
  state: Partial<NonNullable<EventOf<'account.updated.v1'>['state']>> | null = {},
  writeVersion: string | null = null,
): Message<'account.updated.v1'> {
  return message('account.updated.v1', account, slot, {
    account,
    writeVersion,
    state: state && {
      group: bankAddress(900),
      authority: bankAddress(920),
      flags: '0',
      balances: [
        {
          slot: 0,
          bank: bankAddress(1),
          assetTag: 0,
          tag: 7,
          assetShares: '1000.000000000000003552713678800500929355621337890625',
          liabilityShares: '0',
          lastUpdate: '1763719200',
          premiumRate: 429,
          premiumOutstanding: '0.25',
        },
      ],
      lastUpdate: '1763719200',
      migratedFrom: null,
      migratedTo: null,
      derivation: { index: 0, thirdPartyId: 0 },
      emissionsDestination: null,
      liquidationRecord: null,
      activeOrders: 0,
      liquidationTaggedAt: null,
      ...state,
    },
  });
}

export function orderUpdated(
  order: string,
  account: string,
  slot: bigint,
  state: Partial<NonNullable<EventOf<'order.updated.v1'>['state']>> | null = {},
): Message<'order.updated.v1'> {
  return message('order.updated.v1', account, slot, {
    order,
    account,
    writeVersion: null,
    state: state && {
      trigger: 'stop_loss',
      stopLoss: '140.5',
      takeProfit: null,
      maxSlippage: '0.01',
      tags: [7, 8],
      ...state,
    },
  });
}

export function rebalanceUpdated(
  order: string,
  account: string,
  slot: bigint,
  state: Partial<NonNullable<EventOf<'rebalance.updated.v1'>['state']>> | null = {},
): Message<'rebalance.updated.v1'> {
  return message('rebalance.updated.v1', account, slot, {
    order,
    account,
    writeVersion: null,
    state: state && {
      mint: bankAddress(901),
      banks: [bankAddress(1), bankAddress(2)],
      minImprovement: '0.05',
      cooldownSeconds: '86400',
      amountBase: null,
      keeperTipLamports: '10000',
      lastExecutedAt: null,
      feePoolLamports: '0',
      ...state,
    },
  });
}

export const walletUpdated = maker('wallet.updated.v1', (wallet) => ({
  wallet,
  lamports: '2500000000',
  holdings: [
    {
      tokenAccount: bankAddress(930),
      mint: bankAddress(901),
      tokenProgram: 'spl',
      decimals: 6,
      amountBase: '18446744073709551615',
      isFrozen: false,
      symbol: null,
      name: null,
    },
  ],
  holdingsLeftOut: 0,
}));

export function activityRecorded(
  account: string,
  slot: bigint,
  nth: number,
  fields: Partial<EventOf<'activity.recorded.v1'>> = {},
): Message<'activity.recorded.v1'> {
  const { signature = anySignature(nth), instructionIndex = 2, innerIndex = null } = fields;
  const id = [signature, instructionIndex, ...(innerIndex === null ? [] : [innerIndex])].join(':');
  const payload: EventOf<'activity.recorded.v1'> = {
    id,
    signature,
    instructionIndex,
    innerIndex,
    kind: 'deposit',
    groupId: null,
    account,
    authority: bankAddress(920),
    actor: bankAddress(920),
    group: bankAddress(900),
    counterparty: null,
    feeLamports: '5000',
    tipLamports: '0',
    finality: 'confirmed',
    legs: [
      {
        bank: bankAddress(1),
        mint: bankAddress(901),
        action: 'deposit',
        amountBase: '1000000',
        shares: '999999.5',
        closesSide: false,
        premium: null,
      },
    ],
    liquidation: null,
    rebalance: null,
    ...fields,
  };
  return {
    ...message('activity.recorded.v1', account, slot, payload),
    id: messageId('activity.recorded.v1', account, slot, id),
  };
}

export function groupChanged(
  bank: string,
  slot: bigint,
  nth: number,
  fields: Partial<EventOf<'group.changed.v1'>> = {},
): Message<'group.changed.v1'> {
  const id = `${anySignature(nth)}:2#0`;
  const payload: EventOf<'group.changed.v1'> = {
    id,
    group: bankAddress(900),
    bank,
    actor: bankAddress(920),
    finality: 'confirmed',
    change: { kind: 'breaker_trip', tier: 2, deviationBps: '1250', haltStartedAt: '100', haltEndedAt: '700' },
    ...fields,
  };
  return { ...message('group.changed.v1', bank, slot, payload), id: messageId('group.changed.v1', bank, slot, id) };
}

export function slotFinalized(slot: bigint, root: bigint, slots: readonly bigint[] = []): Message<'slot.finalized.v1'> {
  return message('slot.finalized.v1', 'chain', slot, { root: root.toString(), slots: slots.map(String) });
}

export function forkDropped(slot: bigint, slots: readonly bigint[]): Message<'fork.dropped.v1'> {
  return message('fork.dropped.v1', 'chain', slot, { slots: slots.map(String) });
}

export const addressFollowed = maker('address.followed.v1', (address) => ({
  address,
  aspect: 'accounts',
  accounts: [bankAddress(940)],
  isComplete: true,
}));

export const indexProgressed = maker('index.progressed.v1', (task) => ({
  task,
  kind: 'activity',
  address: bankAddress(920),
  fromSlot: '100',
  untilSlot: '5',
  cursor: { signature: anySignature(1), slot: '50' },
  done: 12,
  total: null,
  isComplete: false,
}));

const WINDOW = {
  maxOutflow: '0',
  windowDuration: '3600',
  windowStart: '0',
  prevWindowOutflow: '0',
  curWindowOutflow: '0',
} as const;

export const bankMeasured = maker('bank.measured.v1', (bank) => ({
  bank,
  ledger: {
    assetShareValue: '1.000000000000003552713678800500929355621337890625',
    liabilityShareValue: '1.2',
    totalAssetShares: '1000',
    totalLiabilityShares: '750',
    insuranceFees: '0',
    groupFees: '0',
    programFees: '0',
    lendingPositions: 3,
    borrowingPositions: 1,
    flags: '0',
    depositLimit: '18446744073709551614',
    borrowLimit: '0',
    operationalState: 1,
    originationFee: '0',
    rateLimiter: { hourly: WINDOW, daily: WINDOW },
    lastUpdate: '1763719200',
    stored: null,
    premium: null,
    breaker: null,
  },
  price: { spot: { spot: '145', low: '144', high: '146' }, ema: { error: 'OracleStale' }, hasBorrowingPower: true },
  vaultBase: '250',
  transferFee: null,
  group: null,
}));

export function swapQuoted(
  inMint: string,
  slot: bigint,
  fields: Partial<EventOf<'swap.quoted.v1'>> = {},
): Message<'swap.quoted.v1'> {
  const { outMint = bankAddress(950) } = fields;
  return message('swap.quoted.v1', `${inMint}:${outMint}`, slot, {
    inMint,
    outMint,
    inDecimals: 6,
    outDecimals: 9,
    inPriceUsd: '0.9998',
    outPriceUsd: '145.123456789012345678',
    rungs: [
      { inBase: '1000200040', outBase: '6889999999', aggregator: 'jupiter' },
      { inBase: '10002000400', outBase: '68000000000', aggregator: 'dflow' },
    ],
    end: 'impact',
    ...fields,
  });
}

/** A message of any topic about the same address. */
export function messageOf(topic: Topic, address: string, slot: bigint): Message {
  return MAKERS[topic](address, slot);
}

const MAKERS: { readonly [T in Topic]: (address: string, slot: bigint) => Message<T> } = {
  'account.updated.v1': accountUpdated,
  'activity.recorded.v1': (address, slot) => activityRecorded(address, slot, Number(slot)),
  'address.followed.v1': addressFollowed,
  'bank.audited.v1': bankAudited,
  'bank.measured.v1': bankMeasured,
  'bank.rejected.v1': bankRejected,
  'bank.updated.v1': bankUpdated,
  'fork.dropped.v1': (_address, slot) => forkDropped(slot, [slot]),
  'group.changed.v1': (address, slot) => groupChanged(address, slot, Number(slot)),
  'index.progressed.v1': indexProgressed,
  'oracle.priced.v1': oraclePriced,
  'order.updated.v1': (address, slot) => orderUpdated(address, address, slot),
  'rate.backfilled.v1': rateBackfilled,
  'rate.quarantined.v1': rateQuarantined,
  'rate.sampled.v1': rateSampled,
  'rebalance.updated.v1': (address, slot) => rebalanceUpdated(address, address, slot),
  'reserve.updated.v1': reserveUpdated,
  'slot.finalized.v1': (_address, slot) => slotFinalized(slot, slot),
  'swap.quoted.v1': swapQuoted,
  'wallet.updated.v1': walletUpdated,
};

function message<T extends Topic>(type: T, key: string, slot: bigint, payload: EventOf<T>): Message<T> {
  return { id: messageId(type, key, slot), type, key, slot, time: timeOfSlot(slot), source: 'localnet', payload };
}
