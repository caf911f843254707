import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { findReserve } from '#reads/find-reserve.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { asOfSchema, warningsField } from '#records/reply-fields.ts';
import { reserveSchema } from '#records/reserve-fields.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { defineOperation, type Operation } from './tool.ts';
import { dataStale, LOCAL_CHAIN, ratePartsUnknown } from './warnings.ts';

const input = z.strictObject({
  reserve: requiredField(addressText, 'Reserve address', ADDRESS_ALLOWED),
});

/** One of the venues' pools, whole. */
export function createGetReserve(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_reserve',
    title: "One of the venues' pools",
    description:
      'The whole record of the reserve, spot market or Earn account at an address. Rates are percent APY, money is USD or UI tokens, null is unknown.',
    rest: { method: 'GET', path: '/v1/reserves/:reserve' },
    errors: ['NOT_FOUND'],
    input,
    output: reserveSchema.extend({ as_of: asOfSchema, warnings: warningsField }),
    async handle({ reserve }) {
      const { record, reading } = findReserve(await reads.reserves.get(), reserve);
      const asOf = describeAsOf(reading, reads.now(), reads.staleAfterMs);
      const warnings = [
        ...dataStale(asOf),
        ...ratePartsUnknown([record]),
        ...(reading.source === 'localnet' ? [LOCAL_CHAIN] : []),
      ];
      return { ...record, as_of: asOf, warnings };
    },
  });
}
