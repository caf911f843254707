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

export function bankUpdated(
  bank: string,
  slot: bigint,
  fields: Partial<EventOf<'bank.updated.v1'>> = {},
): Message<'bank.updated.v1'> {
  return message('bank.updated.v1', bank, slot, {
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
    emode: { tag: 57, entries: [{ collateralTag: 501, assetWeightInit: '0.9', assetWeightMaint: '0.95' }] },
    oracle: { setup: 'PythPushOracle', key: bankAddress(902), maxAgeSeconds: 70 },
    rateCurve: [
      { utilization: '0', baseApr: '0' },
      { utilization: '1', baseApr: '3' },
    ],
    venueAccount: null,
    ...fields,
  });
}

export function bankRejected(
  bank: string,
  slot: bigint,
  reason: RejectionReason = 'account_gone',
): Message<'bank.rejected.v1'> {
  return message('bank.rejected.v1', bank, slot, { bank, reason });
}

export function rateSampled(
  bank: string,
  slot: bigint,
  fields: Partial<EventOf<'rate.sampled.v1'>> = {},
): Message<'rate.sampled.v1'> {
  return message('rate.sampled.v1', bank, slot, {
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
    ...fields,
  });
}

export function reserveUpdated(
  reserve: string,
  slot: bigint,
  fields: Partial<EventOf<'reserve.updated.v1'>> = {},
): Message<'reserve.updated.v1'> {
  return message('reserve.updated.v1', reserve, slot, {
    reserve,
    venue: 'kamino',
    market: bankAddress(910),
    marketName: 'Main Market',
    mint: bankAddress(901),
    decimals: 6,
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
    ...fields,
  });
}

export function rateQuarantined(
  bank: string,
  slot: bigint,
  fields: Partial<EventOf<'rate.quarantined.v1'>> = {},
): Message<'rate.quarantined.v1'> {
  return message('rate.quarantined.v1', bank, slot, {
    bank,
    venue: 'solend',
    reason: 'rate_out_of_range',
    detail: 'a deposit APR of 1e9',
    ...fields,
  });
}

export function rateBackfilled(
  bank: string,
  slot: bigint,
  fields: Partial<EventOf<'rate.backfilled.v1'>> = {},
): Message<'rate.backfilled.v1'> {
  return message('rate.backfilled.v1', bank, slot, {
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
    ...fields,
  });
}

export function oraclePriced(
  bank: string,
  slot: bigint,
  fields: Partial<EventOf<'oracle.priced.v1'>> = {},
): Message<'oracle.priced.v1'> {
  return message('oracle.priced.v1', bank, slot, {
    bank,
    oracle: bankAddress(902),
    setup: 'PythPushOracle',
    priceUsd: '145.123456789012345678',
    priceLowUsd: '145.1',
    priceHighUsd: '145.2',
    emaPriceUsd: '144.9',
    publishTime: '2026-11-20T23:59:58.000Z',
    reason: null,
    ...fields,
  });
}

function message<T extends Topic>(type: T, key: string, slot: bigint, payload: EventOf<T>): Message<T> {
  return { id: messageId(type, key, slot), type, key, slot, time: timeOfSlot(slot), source: 'localnet', payload };
}
