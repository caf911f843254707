export type { AccountBytes } from './account.ts';
export type { P0Bank, P0Emode, P0Group, P0Oracle } from './p0/bank.ts';
export { decodeBank } from './p0/decode-bank.ts';
export { type BankText, cleanText, decodeBankMetadata } from './p0/decode-bank-metadata.ts';
export { decodeGroup, isGroupPaused } from './p0/decode-group.ts';
export { accountsOfBank, bankFilters, priceFeedOf } from './p0/discovery.ts';
export type { PriceBand, PricedReading, PriceReading, PriceUnavailableReason } from './p0/price-reading.ts';
export { readPrice } from './p0/read-price.ts';
export { type RateReading, sampleRates } from './p0/sample-rates.ts';
