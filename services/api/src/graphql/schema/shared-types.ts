import { LIMITS, VENUES_ON_WIRE } from '@lending/domain';
import { ACTIONS, ratesSchema, SHOWN_STATES } from '#records/bank-fields.ts';
import { HEALTH_STATUSES } from '#records/health-fields.ts';
import { addressCoverageSchema, asOfSchema, warningSchema } from '#records/reply-fields.ts';
import type { RecordTypes } from './record-types.ts';

/** Names what several records have in common, before the first of them would name it after itself. */
export function nameSharedTypes(types: RecordTypes): void {
  const venue = types.enum('Venue', VENUES_ON_WIRE, 'Who runs the pool');
  types.useEnum(
    venue,
    VENUES_ON_WIRE.filter((name) => name !== 'P0'),
  );
  types.enum('OperationalState', SHOWN_STATES, 'Of a bank; Unknown is never usable');
  types.enum('Action', ACTIONS);
  types.enum('Side', ['lend', 'borrow'], 'Of an account: what it supplies, or what it owes');
  types.enum('HealthStatus', HEALTH_STATUSES, 'By the health ratio; unknown is never safe');
  types.enum('LimitedBy', LIMITS, 'What stops more');
  types.object('Rates', ratesSchema, 'Of a bank or a reserve now, % a year');
  types.object('AsOf', asOfSchema);
  types.object('Warning', warningSchema);
  types.object('AddressCoverage', addressCoverageSchema);
}
