import type { ActivityWrite } from '../activity-write.ts';
import type { RateSampleWrite } from '../insert-rate-samples.ts';
import type { AccountWrite } from '../upsert-accounts.ts';
import type { BankWrite } from '../upsert-banks.ts';
import type { ReserveWrite } from '../upsert-reserves.ts';

/** Rows as the projections write them; a test names what matters to it. */

export function sampleWrite(time: Date, changes: Partial<RateSampleWrite> = {}): RateSampleWrite {
  return {
    bank: 'bank-a',
    venue: 'p0',
    depositApr: '0.05',
    borrowApr: '0.1',
    nativeApr: '0.07',
    emissionsDepositApr: null,
    emissionsBorrowApr: null,
    utilization: '0.5',
    totalAssetsBase: '1000',
    totalLiabilitiesBase: '500',
    availableLiquidityBase: '500',
    assetShareValue: '1.000000000000003552713678800500929355621337890625',
    liabilityShareValue: '1.5',
    exchangeRate: null,
    nativeExchangeRate: null,
    slotMs: null,
    priceUsd: '1',
    source: 'chain',
    slot: BigInt(Math.floor(time.getTime() / 400)),
    time: time.toISOString(),
    ...changes,
  };
}

export function bankWrite(changes: Partial<BankWrite> = {}): BankWrite {
  return {
    address: 'bank-a',
    groupAddress: 'group',
    venue: 'p0',
    mint: 'mint',
    decimals: 6,
    tokenProgram: 'spl',
    symbol: 'USDC',
    assetTag: 0,
    operationalState: 'Operational',
    riskTier: 'Collateral',
    assetWeightInit: '1',
    assetWeightMaint: '1',
    liabilityWeightInit: '1.1',
    liabilityWeightMaint: '1.05',
    depositLimitBase: null,
    borrowLimitBase: null,
    totalAssetValueInitLimitUsd: null,
    originationFee: '0',
    flags: '0',
    emode: { tag: 0, entries: [] },
    oracleSetup: 'PythPushOracle',
    oracleKey: null,
    oracleMaxAgeSeconds: 60,
    rateCurve: [],
    venueAccount: null,
    source: 'chain',
    slot: 1n,
    slotTime: '2026-11-21T00:00:00.000Z',
    ...changes,
  };
}

export function reserveWrite(changes: Partial<ReserveWrite> = {}): ReserveWrite {
  return {
    address: 'reserve-a',
    venue: 'kamino',
    market: 'market',
    marketName: 'Main',
    mint: 'mint',
    decimals: 6,
    receiptMint: 'receipt',
    symbol: 'USDC',
    status: 'active',
    statusReasons: [],
    depositLimitBase: '1000000',
    depositRoomBase: '1000',
    borrowLimitBase: null,
    borrowRoomBase: null,
    withdrawRoomBase: '77',
    priceUsd: '0.999',
    priceTime: '2026-11-21T00:00:00.000Z',
    incentives: [],
    source: 'chain',
    slot: 1n,
    slotTime: '2026-11-21T00:00:00.000Z',
    ...changes,
  };
}

type AccountState = NonNullable<AccountWrite['state']>;

/** A lending account that holds nothing. */
export function accountState(changes: Partial<AccountState> = {}): AccountState {
  return {
    groupAddress: 'group',
    authority: 'owner',
    flags: '0',
    lastUpdate: '0',
    derivation: null,
    activeOrders: 0,
    liquidationTaggedAt: null,
    migratedFrom: null,
    migratedTo: null,
    emissionsDestination: null,
    liquidationRecord: null,
    balances: [],
    ...changes,
  };
}

/** A deposit of nothing, whose place in its transaction makes its id. */
export function activityWrite(
  changes: Pick<ActivityWrite, 'signature' | 'slot' | 'time'> & Partial<ActivityWrite>,
): ActivityWrite {
  const { signature, instructionIndex = 2, innerIndex = null } = changes;
  return {
    id: [signature, instructionIndex, ...(innerIndex === null ? [] : [innerIndex])].join(':'),
    instructionIndex,
    innerIndex,
    kind: 'deposit',
    groupId: null,
    account: 'account',
    authority: 'owner',
    actor: 'owner',
    counterparty: null,
    feeLamports: '5000',
    tipLamports: '0',
    finality: 'confirmed',
    legs: [],
    liquidation: null,
    ...changes,
  };
}
