import type { Breaker } from '@lending/domain';
import { bankLayout, placeOf } from '@lending/programs';

const terms = {
  tiersBps: tiers('config.cbDeviationBpsTiers'),
  tierSeconds: tiers('config.cbTierDurationsSeconds'),
  escalationMultiple: field<number>('config.cbEscalationWindowMult'),
  emaAlphaBps: field<number>('config.cbEmaAlphaBps'),
  windowSeconds: field<number>('config.cbWindowSeconds'),
  windowMaxUpBps: field<number>('config.cbWindowMaxUpBps'),
  windowMaxDownBps: field<number>('config.cbWindowMaxDownBps'),
};
const state = {
  tier: field<number>('cbTier'),
  tier3Trips: field<number>('cbTier3ConsecutiveTrips'),
  haltStartedAt: field<bigint>('cbHaltStartedAt'),
  haltEndedAt: field<bigint>('cbHaltEndedAt'),
  lastObservedSlot: field<bigint>('cbLastObservedSlot'),
  lastSourceTime: field<bigint>('cbLastOracleSourceTime'),
  referencePrice: field<bigint>('cbReferencePrice'),
  windowReferencePrice: field<bigint>('cbWindowReferencePrice'),
  windowStartedAt: field<bigint>('cbWindowStartedAt'),
  frozenSecondsPending: field<bigint>('cbFrozenSecondsPending'),
};
const preBreakState = field<number>('cbPreBreakState');

/**
 * The circuit breaker in a bank's bytes, whether it is on or not. All of it is zero before 0.1.10.
 * @see marginfi-v2 type-crate/src/types/bank.rs
 */
export function readBreaker(data: Uint8Array): Breaker {
  return { terms: readAll(terms, data), state: readAll(state, data), preBreakState: preBreakState(data) };
}

type Read<T> = (data: Uint8Array) => T;

function field<T extends number | bigint>(path: string): Read<T> {
  const { offset, type } = placeOf(bankLayout, path);
  return (data) => type.read(data, offset)[0] as T;
}

function tiers(path: string): Read<readonly [number, number, number]> {
  const [first, second, third] = [field<number>(`${path}.0`), field<number>(`${path}.1`), field<number>(`${path}.2`)];
  return (data) => [first(data), second(data), third(data)];
}

function readAll<T>(reads: { readonly [Name in keyof T]: Read<T[Name]> }, data: Uint8Array): T {
  const names = Object.keys(reads) as (keyof T)[];
  return Object.fromEntries(names.map((name) => [name, reads[name](data)])) as T;
}
