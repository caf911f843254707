import {
  DRIFT_SPOT_MARKET_DISCRIMINATOR,
  DRIFT_SPOT_MARKET_SIZE,
  type DriftSpotMarket,
  getDriftSpotMarketDecoder,
  getDriftSpotMarketEncoder,
  getKlendReserveDecoder,
  getKlendReserveEncoder,
  getSolendReserveDecoder,
  getSolendReserveEncoder,
  KLEND_RESERVE_DISCRIMINATOR,
  KLEND_RESERVE_SIZE,
  type KlendReserve,
  SOLEND_RESERVE_SIZE,
  type SolendReserve,
} from '@lending/programs';

/** An account of nothing but its discriminator, with what `change` makes of its fields. */
export function madeKlendReserve(change: (empty: KlendReserve) => KlendReserve): Uint8Array {
  const bytes = emptyAccount(KLEND_RESERVE_SIZE, KLEND_RESERVE_DISCRIMINATOR);
  return Uint8Array.from(getKlendReserveEncoder().encode(change(getKlendReserveDecoder().decode(bytes))));
}

export function madeSpotMarket(change: (empty: DriftSpotMarket) => DriftSpotMarket): Uint8Array {
  const bytes = emptyAccount(DRIFT_SPOT_MARKET_SIZE, DRIFT_SPOT_MARKET_DISCRIMINATOR);
  return Uint8Array.from(getDriftSpotMarketEncoder().encode(change(getDriftSpotMarketDecoder().decode(bytes))));
}

export function madeSolendReserve(change: (empty: SolendReserve) => SolendReserve): Uint8Array {
  const bytes = emptyAccount(SOLEND_RESERVE_SIZE, Uint8Array.of(1));
  return Uint8Array.from(getSolendReserveEncoder().encode(change(getSolendReserveDecoder().decode(bytes))));
}

export function emptyAccount(size: number, discriminator: Uint8Array): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}
