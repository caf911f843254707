import type { FixedSizeDecoder } from '@solana/kit';
import { addressAt } from '#fixed-offset/addresses.ts';
import { bytesAt } from '#fixed-offset/bytes.ts';
import { getFixedOffsetDecoder } from '#fixed-offset/fixed-offset-decoder.ts';
import { i64At, i128At, u8At, u16At, u32At, u64At } from '#fixed-offset/integers.ts';
import { MAX_BALANCES } from './balance-slots.ts';
import { getMarginfiAccountCodec, MARGINFI_ACCOUNT_DISCRIMINATOR, type MarginfiAccount } from './marginfi-account.ts';

const FIRST_BALANCE = 72;
const BALANCE_SIZE = 104;
const FIRST_PRICE = 1952;
const PRICE_SIZE = 8;

/** Decodes to what the codec does, and much faster. */
export function getMarginfiAccountDecoder(): FixedSizeDecoder<MarginfiAccount> {
  return getFixedOffsetDecoder(MARGINFI_ACCOUNT_DISCRIMINATOR, getMarginfiAccountCodec(), marginfiAccountAt);
}

/** An account, each field at its offset: the same value as the codec's. */
function marginfiAccountAt(view: DataView): MarginfiAccount {
  return {
    group: addressAt(view, 8),
    authority: addressAt(view, 40),
    lendingAccount: {
      balances: balancesAt(view),
      lastTagUsed: u16At(view, 1736),
      _pad1: bytesAt(view, 1738, 6),
      _padding: bytesAt(view, 1744, 56),
    },
    accountFlags: u64At(view, 1800),
    emissionsDestinationAccount: addressAt(view, 1808),
    healthCache: healthCacheAt(view),
    migratedFrom: addressAt(view, 2144),
    migratedTo: addressAt(view, 2176),
    lastUpdate: u64At(view, 2208),
    accountIndex: u16At(view, 2216),
    thirdPartyIndex: u16At(view, 2218),
    bump: u8At(view, 2220),
    activeOrders: u8At(view, 2221),
    _pad0: bytesAt(view, 2222, 2),
    liquidationRecord: addressAt(view, 2224),
    indexerFlags: indexerFlagsAt(view),
    _padding0: bytesAt(view, 2280, 32),
  };
}

type Balance = MarginfiAccount['lendingAccount']['balances'][number];

function balancesAt(view: DataView): Balance[] {
  const balances: Balance[] = [];
  for (let slot = 0; slot < MAX_BALANCES; slot += 1)
    balances.push(balanceAt(view, FIRST_BALANCE + slot * BALANCE_SIZE));
  return balances;
}

function balanceAt(view: DataView, at: number): Balance {
  return {
    active: u8At(view, at),
    bankPk: addressAt(view, at + 1),
    bankAssetTag: u8At(view, at + 33),
    tag: u16At(view, at + 34),
    _pad0: bytesAt(view, at + 36, 4),
    assetShares: i128At(view, at + 40),
    liabilityShares: i128At(view, at + 56),
    emissionsOutstanding: i128At(view, at + 72),
    lastUpdate: u64At(view, at + 88),
    _padding: bytesAt(view, at + 96, 8),
  };
}

function healthCacheAt(view: DataView): MarginfiAccount['healthCache'] {
  return {
    assetValue: i128At(view, 1840),
    liabilityValue: i128At(view, 1856),
    assetValueMaint: i128At(view, 1872),
    liabilityValueMaint: i128At(view, 1888),
    assetValueEquity: i128At(view, 1904),
    liabilityValueEquity: i128At(view, 1920),
    timestamp: i64At(view, 1936),
    flags: u32At(view, 1944),
    mrgnErr: u32At(view, 1948),
    prices: pricesAt(view),
    internalErr: u32At(view, 2080),
    errIndex: u8At(view, 2084),
    programVersion: u8At(view, 2085),
    pad0: bytesAt(view, 2086, 2),
    internalLiqErr: u32At(view, 2088),
    internalBankruptcyErr: u32At(view, 2092),
    reserved0: bytesAt(view, 2096, 32),
    reserved1: bytesAt(view, 2128, 16),
  };
}

function pricesAt(view: DataView): MarginfiAccount['healthCache']['prices'] {
  const prices: MarginfiAccount['healthCache']['prices'] = [];
  for (let slot = 0; slot < MAX_BALANCES; slot += 1)
    prices.push(bytesAt(view, FIRST_PRICE + slot * PRICE_SIZE, PRICE_SIZE));
  return prices;
}

function indexerFlagsAt(view: DataView): MarginfiAccount['indexerFlags'] {
  return {
    isLendingOnly: u8At(view, 2256),
    isEmpty: u8At(view, 2257),
    isSingleBorrower: u8At(view, 2258),
    hasEverBeenLiquidated: u8At(view, 2259),
    hasEverBeenDeleveraged: u8At(view, 2260),
    hasBeenBankrupted: u8At(view, 2261),
    hasIsolated: u8At(view, 2262),
    hasStaked: u8At(view, 2263),
    hasKamino: u8At(view, 2264),
    hasDrift: u8At(view, 2265),
    hasJuplend: u8At(view, 2266),
    wasLiquidatable: u8At(view, 2267),
    wasUnderwater: u8At(view, 2268),
    wasActive30d: u8At(view, 2269),
    wasActive60d: u8At(view, 2270),
    hasTrivialBalance: u8At(view, 2271),
    _pad: bytesAt(view, 2272, 8),
  };
}
