import { NO_NATIVE_RATE } from '#native-rate.ts';
import type { NativeRates } from '#native-rates.ts';

/** Knows of no token that earns by itself. */
export const NO_NATIVE_RATES: NativeRates = {
  refresh: () => undefined,
  accountsOf: () => [],
  read: () => NO_NATIVE_RATE,
  idle: async () => undefined,
};
