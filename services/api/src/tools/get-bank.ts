import { z } from 'zod';
import { describeAsOf } from '#reads/as-of.ts';
import { findBank } from '#reads/find-bank.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { bankSchema } from '#records/bank-fields.ts';
import { asOfSchema, warningsField } from '#records/reply-fields.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { defineOperation, type Operation } from './tool.ts';
import { dataStale, LOCAL_CHAIN, ratePartsUnknown } from './warnings.ts';

const input = z.strictObject({
  bank: requiredField(addressText, 'Bank address', ADDRESS_ALLOWED),
});

const output = bankSchema.extend({ as_of: asOfSchema, warnings: warningsField });

/** One bank, whole. Agents use svc_get_banks with `bank`; this is REST's own path to it. */
export function createGetBank(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_bank',
    title: 'One bank',
    description:
      'The whole record of the bank at an address. Rates are percent APY, money is USD or UI tokens, null is unknown.',
    rest: { method: 'GET', path: '/v1/banks/:bank' },
    errors: ['BANK_NOT_FOUND'],
    input,
    output,
    async handle({ bank }) {
      const { record, reading } = findBank(await reads.banks.get(), bank);
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
