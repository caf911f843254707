import { SAMPLE_HOLD_SECONDS } from '@lending/store';
import { z } from 'zod';
import { findBank } from '#reads/find-bank.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { venueOf } from '#reads/venue-of.ts';
import { historyReplySchema } from '#records/history-fields.ts';
import { answerHistory } from './answer-history.ts';
import { historyInput } from './history-input.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { type CallContext, defineOperation, type Operation, TextReply } from './tool.ts';

const input = z.strictObject({
  bank: requiredField(addressText, 'Bank address', ADDRESS_ALLOWED),
  ...historyInput,
});

/** Rates of one bank over time. */
export function createGetBankHistory(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_bank_history',
    title: 'Rate history of a bank',
    description:
      'Rates, sizes and price of one bank in buckets of a minute, an hour or a day (UTC). A bucket of which nothing is known is a gap with nulls; ' +
      `nothing is carried forward. Means are weighed by the time each sample spoke for, ${SAMPLE_HOLD_SECONDS} s at most.`,
    rest: { method: 'GET', path: '/v1/banks/:bank/history' },
    errors: ['BANK_NOT_FOUND'],
    otherMediaTypes: ['text/csv'],
    input,
    output: historyReplySchema,
    async handle(query: z.infer<typeof input>, context: CallContext) {
      const snapshot = await reads.banks.get();
      const { record, reading } = findBank(snapshot, query.bank);
      const { address, venue, symbol, mint, decimals } = record;
      const subject = { address, venue: venueOf(venue), mint, decimals, hasBorrowers: venue === 'P0' };
      const body = await answerHistory(reads, { subject, reading, chainTimeMs: snapshot.chainTimeMs }, query, context);
      return body instanceof TextReply ? body : { bank: address, venue, symbol, ...body };
    },
  });
}
