import type { CapacityState } from '@lending/domain';
import { bankLayout } from '@lending/programs';
import type { AccountBytes } from '@lending/venues';
import { balancesOf, type JudgedBank, type JudgedMarket } from './judged-market.ts';
import { MOMENT, NO_WINDOW } from './made-accounts.ts';

const U64_MAX = 2n ** 64n - 1n;

/** Asks for a capacity that nothing binds but the account's health and what the bank has lent: the SDK knows no other bound. */
export function capacityState(account: AccountBytes, market: JudgedMarket, target: JudgedBank): CapacityState {
  return {
    account: { balances: balancesOf(account, market), flags: 0n },
    bank: {
      risk: target.bank,
      ledger: bankLayout.decode(target.bytes.data),
      price: target.price,
      vaultBase: U64_MAX,
      transferFee: null,
      units: null,
    },
    group: {
      isPaused: false,
      rateLimiter: { hourly: NO_WINDOW, daily: NO_WINDOW },
      programFeeRate: 0n,
      premiumPairs: [],
    },
    unixTimestamp: MOMENT.unixTimestamp,
  };
}
