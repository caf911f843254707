import type { Address } from '@solana/kit';
import type { GroupChange, GroupEvent, TransactionTrace } from './activity.ts';
import { namedAccounts } from './activity-accounts.ts';
import type { ProgramCall } from './activity-calls.ts';
import { baseUnitsOf } from './base-units.ts';
import type { P0EventFields } from './decode-events.ts';

/**
 * What a program's calls did to banks and their group, in order. A breaker's events name no bank: the instruction does, and a
 * classic liquidation, which reads the prices of two, leaves it open.
 */
export function groupChangesOf(
  trace: Pick<TransactionTrace, 'signature' | 'feePayer'>,
  calls: readonly ProgramCall[],
): readonly GroupChange[] {
  return calls.flatMap((call) => {
    const inner = call.innerIndex === null ? '' : `:${call.innerIndex}`;
    return call.events.flatMap((event, nth) => {
      const change = changeOf(event);
      const place = change === null ? null : placeOf(event, call);
      if (change === null || place === null) return [];
      const { signer, ...rest } = place;
      const id = `${trace.signature}:${call.instructionIndex}${inner}#${nth}`;
      return [{ id, ...rest, actor: signer ?? trace.feePayer, change }];
    });
  });
}

/** Whether an event is a change of a bank or the group. */
export function isGroupChange(event: P0EventFields): boolean {
  return changeOf(event) !== null;
}

function changeOf({ kind, fields }: P0EventFields): GroupEvent | null {
  switch (kind) {
    case 'premiumCollected': {
      const { premiumCollected, premiumOutstanding } = fields;
      const outstandingBase = baseUnitsOf(premiumOutstanding);
      return { kind: 'premium_sweep', collectedBase: baseUnitsOf(premiumCollected), outstandingBase };
    }
    case 'groupPremiumConfigured': {
      const { header: _header, ...pair } = fields;
      return { kind: 'premium_rate', ...pair };
    }
    case 'bankPremiumConfigured':
      return { kind: 'premium_tag', premiumTag: fields.premiumTag, isActive: fields.active };
    case 'circuitBreakerTripped':
      return { kind: 'breaker_trip', ...fields };
    case 'circuitBreakerCleared':
      return { kind: 'breaker_clear', tier: fields.priorTier, isByAdmin: fields.reason === 0 };
    case 'circuitBreakerBroken':
      return { kind: 'breaker_break', trips: fields.consecutiveTier3Trips };
    case 'governanceAdminSet':
      return { kind: 'governance_admin', previous: fields.previousGovernanceAdmin, next: fields.newGovernanceAdmin };
    default:
      return null;
  }
}

/** Whose change it is; null where neither the event nor the instruction names a group. */
function placeOf(
  { fields }: P0EventFields,
  { instruction }: ProgramCall,
): { readonly group: Address; readonly bank: Address | null; readonly signer: Address | null } | null {
  if ('header' in fields) {
    const { signer, marginfiGroup: group } = fields.header;
    return { group, bank: 'bank' in fields ? fields.bank : null, signer };
  }
  const named = instruction === null ? {} : namedAccounts(instruction);
  return named.group === undefined ? null : { group: named.group, bank: named.bank ?? null, signer: null };
}
