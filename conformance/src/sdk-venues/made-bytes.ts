import {
  type DriftSpotMarket,
  driftSpotMarketLayout,
  type KlendReserve,
  klendReserveLayout,
  type SolendReserve,
  solendReserveLayout,
} from '@lending/programs';

/** An account of nothing but its discriminator, with what `change` makes of its fields. */
export function madeKlendReserve(change: (empty: KlendReserve) => KlendReserve): Uint8Array {
  const bytes = emptyAccount(klendReserveLayout.fixedSize, klendReserveLayout.discriminator);
  return Uint8Array.from(klendReserveLayout.encode(change(klendReserveLayout.decode(bytes))));
}

export function madeSpotMarket(change: (empty: DriftSpotMarket) => DriftSpotMarket): Uint8Array {
  const bytes = emptyAccount(driftSpotMarketLayout.fixedSize, driftSpotMarketLayout.discriminator);
  return Uint8Array.from(driftSpotMarketLayout.encode(change(driftSpotMarketLayout.decode(bytes))));
}

export function madeSolendReserve(change: (empty: SolendReserve) => SolendReserve): Uint8Array {
  const bytes = emptyAccount(solendReserveLayout.fixedSize, Uint8Array.of(1));
  return Uint8Array.from(solendReserveLayout.encode(change(solendReserveLayout.decode(bytes))));
}

export function emptyAccount(size: number, discriminator: Uint8Array): Uint8Array {
  const data = new Uint8Array(size);
  data.set(discriminator);
  return data;
}
