import { SAMPLE_HOLD_SECONDS } from '@lending/store';
import { z } from 'zod';
import { findReserve } from '#reads/find-reserve.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { venueOf } from '#reads/venue-of.ts';
import { reserveHistoryReplySchema } from '#records/history-fields.ts';
import { answerHistory } from './answer-history.ts';
import { historyInput } from './history-input.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { type CallContext, defineOperation, type Operation, TextReply } from './tool.ts';

const input = z.strictObject({
  reserve: requiredField(addressText, 'Reserve address', ADDRESS_ALLOWED),
  ...historyInput,
});

/** Rates of one reserve over time. */
export function createGetReserveHistory(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_reserve_history',
    title: 'Rate history of a reserve',
    description:
      "Rates, sizes and price of one venue's pool in buckets of a minute, an hour or a day (UTC), whether or not a P0 bank reaches it. " +
      `As a bank's history: gaps have nulls, means are weighed by the time each sample spoke for, ${SAMPLE_HOLD_SECONDS} s at most.`,
    rest: { method: 'GET', path: '/v1/reserves/:reserve/history' },
    errors: ['NOT_FOUND'],
    otherMediaTypes: ['text/csv'],
    input,
    output: reserveHistoryReplySchema,
    async handle(query: z.infer<typeof input>, context: CallContext) {
      const { chainTimeMs } = await reads.banks.get();
      const { record, reading } = findReserve(await reads.reserves.get(), query.reserve);
      const { address, venue, symbol, mint, decimals } = record;
      const subject = { address, venue: venueOf(venue), mint, decimals, hasBorrowers: true };
      const body = await answerHistory(reads, { subject, reading, chainTimeMs }, query, context);
      return body instanceof TextReply ? body : { reserve: address, venue, symbol, ...body };
    },
  });
}
