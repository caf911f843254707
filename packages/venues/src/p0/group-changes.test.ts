import {
  circuitBreakerAutoBrokenEvent,
  circuitBreakerClearedEvent,
  circuitBreakerTrippedEvent,
  lendingAccountBorrow,
  lendingAccountLiquidate,
  lendingPoolBankPremiumConfigureEvent,
  lendingPoolClearCircuitBreaker,
  lendingPoolGroupPremiumConfigureEvent,
  lendingPoolPremiumFeesCollectedEvent,
  lendingPoolPulseBankPriceCache,
  MARGINFI_PROGRAM,
  setGovernanceAdminEvent,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ACCOUNT_KEY, bankOf, GROUP_KEY, mintOfBank, WALLET } from '../testing/made-lending.ts';
import { lendingCall, type MadeCall, madeAddress, madeTrace, told } from '../testing/made-trace.ts';
import { decodeActivity } from './decode-activity.ts';

const ADMIN = madeAddress(0x41);
const PAYER = madeAddress(0xfe);
const header = { signer: ADMIN, marginfiGroup: GROUP_KEY };
const ofBank = { bank: bankOf(), mint: mintOfBank() };
const decode = (...calls: MadeCall[]) => decodeActivity(madeTrace(calls), MARGINFI_PROGRAM);

/** A call of the program whose instruction this build does not know, with events. */
const telling = (...events: Uint8Array[]): MadeCall => ({
  programId: MARGINFI_PROGRAM,
  accounts: [],
  data: new Uint8Array(8),
  told: events,
});

describe('changes of a group', () => {
  it('are what its admins set, and premium that was swept by anyone', () => {
    const { changes, activities } = decode(
      telling(
        told(lendingPoolGroupPremiumConfigureEvent, {
          header,
          collateralTag: 3,
          liabilityTag: 4,
          oldRate: 0,
          newRate: 42_949_672,
        }),
      ),
      telling(told(lendingPoolBankPremiumConfigureEvent, { header, ...ofBank, premiumTag: 4, active: true })),
      telling(told(setGovernanceAdminEvent, { header, previousGovernanceAdmin: ADMIN, newGovernanceAdmin: WALLET })),
      telling(
        told(lendingPoolPremiumFeesCollectedEvent, {
          header: { signer: null, marginfiGroup: GROUP_KEY },
          ...ofBank,
          premiumCollected: 12,
          premiumOutstanding: 0.75,
        }),
      ),
    );
    expect(activities).toEqual([]);
    const rows: [Address | null, Address, (typeof changes)[number]['change']][] = [
      [null, ADMIN, { kind: 'premium_rate', collateralTag: 3, liabilityTag: 4, oldRate: 0, newRate: 42_949_672 }],
      [bankOf(), ADMIN, { kind: 'premium_tag', premiumTag: 4, isActive: true }],
      [null, ADMIN, { kind: 'governance_admin', previous: ADMIN, next: WALLET }],
      [bankOf(), PAYER, { kind: 'premium_sweep', collectedBase: 12n, outstandingBase: 1n }],
    ];
    expect(changes).toEqual(
      rows.map(([bank, actor, change], nth) => {
        return { id: `madeSignature:${nth}#0`, group: GROUP_KEY, bank, actor, change };
      }),
    );
  });

  describe('by a circuit breaker', () => {
    const halt = { deviationBps: 1_250n, haltStartedAt: 100n, haltEndedAt: 700n };
    const tripped = told(circuitBreakerTrippedEvent, { tier: 3, ...halt });
    const broken = told(circuitBreakerAutoBrokenEvent, { consecutiveTier3Trips: 3, currentTimestamp: 100n });
    const cleared = (reason: number) =>
      told(circuitBreakerClearedEvent, { priorTier: 2, reason, currentTimestamp: 9n });
    const accounts = { group: GROUP_KEY, bank: bankOf(), marginfiAccount: ACCOUNT_KEY };

    it('are of the bank that the instruction names, each on its own', () => {
      const pulse = lendingCall(lendingPoolPulseBankPriceCache, accounts, {}, { told: [tripped, broken] });
      const borrow = lendingCall(lendingAccountBorrow, accounts, { amount: 1n }, { told: [cleared(1)] });
      const clear = lendingCall(
        lendingPoolClearCircuitBreaker,
        accounts,
        { reseedReference: true },
        { told: [cleared(0)] },
      );
      const { changes } = decode({ ...telling(), programId: madeAddress(0x77), inner: [pulse] }, borrow, clear);
      expect(changes.map(({ id, bank, change }) => [id, bank, change])).toEqual([
        ['madeSignature:0:0#0', bankOf(), { kind: 'breaker_trip', tier: 3, ...halt }],
        ['madeSignature:0:0#1', bankOf(), { kind: 'breaker_break', trips: 3 }],
        ['madeSignature:1#0', bankOf(), { kind: 'breaker_clear', tier: 2, isByAdmin: false }],
        ['madeSignature:2#0', bankOf(), { kind: 'breaker_clear', tier: 2, isByAdmin: true }],
      ]);
      expect(changes).toMatchObject(changes.map(() => ({ group: GROUP_KEY, actor: PAYER })));
    });

    it('are of a bank that is not known where a liquidation read the prices of two', () => {
      const both = { group: GROUP_KEY, assetBank: bankOf(), liabBank: bankOf(0x11) };
      const args = { assetAmount: 1n, liquidateeAccounts: 0, liquidatorAccounts: 0 };
      const call = lendingCall(lendingAccountLiquidate, both, args, { told: [tripped] });
      expect(decode(call).changes).toMatchObject([{ group: GROUP_KEY, bank: null }]);
    });

    it('are none where nothing says whose they are, or another program feigns them', () => {
      expect(decode(telling(tripped), { ...telling(tripped), programId: madeAddress(0x77) }).changes).toEqual([]);
    });
  });
});
