import {
  type AccountWrite,
  type ActivityWrite,
  type BankMeasureWrite,
  type BankWrite,
  type Database,
  insertRateSamples,
  type OraclePriceWrite,
  type RateSampleWrite,
  type ReserveWrite,
  upsertBanks,
  upsertOraclePrices,
  upsertReserves,
  type WalletWrite,
} from '@lending/store';
import { ACCOUNT, LEDGER, MEASURES, SOL_MINT, WALLET } from './account-rows.ts';
import { KAMINO_MARKET, KAMINO_RESERVE, RECEIPT_MINT, SOL_BANK, USDC_BANK, USDC_MINT } from './bank-row.ts';

/** Rows as the projection writes them; a test names what matters to it. */

export function bankWrite(changes: Partial<BankWrite> = {}): BankWrite {
  return {
    address: USDC_BANK,
    groupAddress: '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
    venue: 'p0',
    mint: USDC_MINT,
    decimals: 6,
    tokenProgram: 'spl',
    symbol: 'USDC',
    assetTag: 0,
    operationalState: 'Operational',
    riskTier: 'Collateral',
    assetWeightInit: '0.9',
    assetWeightMaint: '0.95',
    liabilityWeightInit: '1.1',
    liabilityWeightMaint: '1.05',
    depositLimitBase: '5000000000',
    borrowLimitBase: null,
    totalAssetValueInitLimitUsd: null,
    originationFee: '0',
    flags: '0',
    emode: { tag: 57481, entries: [{ collateralTag: 501, assetWeightInit: '0.95', assetWeightMaint: '0.97' }] },
    oracleSetup: 'PythPushOracle',
    oracleKey: null,
    oracleMaxAgeSeconds: 60,
    rateCurve: [
      { utilization: '0', baseApr: '0' },
      { utilization: '1', baseApr: '0.5' },
    ],
    venueAccount: null,
    source: 'localnet',
    slot: 1n,
    slotTime: '2026-11-21T00:00:00Z',
    ...changes,
  };
}

export function sampleWrite(timeMs: number, changes: Partial<RateSampleWrite> = {}): RateSampleWrite {
  return {
    bank: USDC_BANK,
    venue: 'p0',
    depositApr: '0.05',
    borrowApr: '0.1',
    utilization: '0.6',
    totalAssetsBase: '1000000000',
    totalLiabilitiesBase: '600000000',
    availableLiquidityBase: '400000000',
    assetShareValue: '1.01',
    liabilityShareValue: '1.02',
    priceUsd: '2',
    source: 'localnet',
    slot: BigInt(Math.floor(timeMs / 400)),
    time: new Date(timeMs).toISOString(),
    ...changes,
  };
}

export function priceWrite(timeMs: number, changes: Partial<OraclePriceWrite> = {}): OraclePriceWrite {
  return {
    bank: USDC_BANK,
    oracle: null,
    setup: 'PythPushOracle',
    priceUsd: '2',
    priceLowUsd: '1.9',
    priceHighUsd: '2.1',
    emaPriceUsd: '2',
    publishTime: new Date(timeMs - 10_000).toISOString(),
    reason: null,
    source: 'localnet',
    slot: BigInt(Math.floor(timeMs / 400)),
    slotTime: new Date(timeMs).toISOString(),
    ...changes,
  };
}

export function reserveWrite(timeMs: number, changes: Partial<ReserveWrite> = {}): ReserveWrite {
  return {
    address: KAMINO_RESERVE,
    venue: 'kamino',
    market: KAMINO_MARKET,
    marketName: 'Main Market',
    mint: USDC_MINT,
    decimals: 6,
    receiptMint: RECEIPT_MINT,
    symbol: 'USDC',
    status: 'active',
    statusReasons: [],
    depositLimitBase: '500100000000000',
    depositRoomBase: '100000000000',
    borrowLimitBase: null,
    borrowRoomBase: null,
    withdrawRoomBase: '110000000000000',
    priceUsd: null,
    priceTime: null,
    incentives: [],
    source: 'localnet',
    slot: BigInt(Math.floor(timeMs / 400)),
    slotTime: new Date(timeMs).toISOString(),
    ...changes,
  };
}

export async function write(
  db: Database,
  rows: {
    readonly banks?: readonly BankWrite[];
    readonly samples?: readonly RateSampleWrite[];
    readonly prices?: readonly OraclePriceWrite[];
    readonly reserves?: readonly ReserveWrite[];
  },
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await upsertBanks(transaction, rows.banks ?? []);
    await upsertReserves(transaction, rows.reserves ?? []);
    await insertRateSamples(transaction, rows.samples ?? []);
    await upsertOraclePrices(transaction, rows.prices ?? []);
  });
}

/** Rows of accounts as the projection writes them; a test names what matters to it. */

const SLOT_TIME = '2026-11-21T10:00:00Z';

/** Ten SOL against 600 dollars. */
export function accountWrite(changes: Partial<AccountWrite> = {}): AccountWrite {
  const balance = { assetTag: 0, orderTag: 0, lastUpdate: '0', premiumRate: 0, premiumOutstanding: '0' };
  return {
    address: ACCOUNT,
    state: {
      groupAddress: '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
      authority: WALLET,
      flags: '0',
      lastUpdate: '0',
      derivation: null,
      activeOrders: 0,
      liquidationTaggedAt: null,
      migratedFrom: null,
      migratedTo: null,
      emissionsDestination: null,
      liquidationRecord: null,
      balances: [
        { ...balance, slotIndex: 0, bank: SOL_BANK, assetShares: '10000000000', liabilityShares: '0' },
        { ...balance, slotIndex: 1, bank: USDC_BANK, assetShares: '0', liabilityShares: '600000000' },
      ],
    },
    source: 'localnet',
    slot: 100n,
    writeVersion: null,
    slotTime: SLOT_TIME,
    ...changes,
  };
}

export function measureWrites(slot: bigint, slotTime: string): readonly BankMeasureWrite[] {
  return MEASURES.map(({ bank, price, vault_base: vaultBase, group }) => ({
    bank,
    ledger: LEDGER,
    price,
    vaultBase,
    transferFee: null,
    group,
    source: 'localnet' as const,
    slot,
    slotTime,
  }));
}

export function activityWrite(changes: Partial<ActivityWrite> & Pick<ActivityWrite, 'signature'>): ActivityWrite {
  const instructionIndex = changes.instructionIndex ?? 0;
  const innerIndex = changes.innerIndex ?? null;
  return {
    id: `${changes.signature}:${instructionIndex}${innerIndex === null ? '' : `:${innerIndex}`}`,
    instructionIndex,
    innerIndex,
    kind: 'deposit',
    groupId: null,
    account: ACCOUNT,
    authority: WALLET,
    actor: WALLET,
    counterparty: null,
    feeLamports: '5000',
    tipLamports: '0',
    finality: 'finalized',
    legs: [
      { bank: SOL_BANK, mint: SOL_MINT, action: 'deposit', amountBase: '1000000000', shares: null, closesSide: false },
    ],
    liquidation: null,
    slot: 100n,
    time: SLOT_TIME,
    ...changes,
  };
}

export function walletWrite(changes: Partial<WalletWrite> = {}): WalletWrite {
  return {
    address: WALLET,
    lamports: '2500000000',
    holdings: [
      {
        tokenAccount: ACCOUNT,
        mint: SOL_MINT,
        tokenProgram: 'spl',
        decimals: 9,
        amountBase: '1000000000',
        isFrozen: false,
        symbol: null,
        name: null,
      },
    ],
    holdingsLeftOut: 0,
    source: 'localnet',
    slot: 100n,
    slotTime: SLOT_TIME,
    ...changes,
  };
}
