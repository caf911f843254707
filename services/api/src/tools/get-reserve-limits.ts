import { z } from 'zod';
import { findReserve } from '#reads/find-reserve.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { reserveLimitsReplySchema } from '#records/limit-fields.ts';
import { answerLimits, limitsInput } from './answer-limits.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { type CallContext, defineOperation, type Operation } from './tool.ts';

const input = z.strictObject({
  reserve: requiredField(addressText, 'Reserve address', ADDRESS_ALLOWED),
  ...limitsInput,
});

/** How the caps of one reserve changed. */
export function createGetReserveLimits(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_reserve_limits',
    title: 'Limit history of a reserve',
    description:
      "How the deposit and borrow limits of a venue's pool changed, newest first. A change counts from when it was seen.",
    rest: { method: 'GET', path: '/v1/reserves/:reserve/limits' },
    errors: ['NOT_FOUND'],
    input,
    output: reserveLimitsReplySchema,
    async handle(query: z.infer<typeof input>, context: CallContext) {
      const { record, reading } = findReserve(await reads.reserves.get(), query.reserve);
      const { address, venue, symbol, decimals } = record;
      const body = await answerLimits(reads, { address, decimals, reading }, query, context);
      return { reserve: address, venue, symbol, deposit_limit_unit: 'token' as const, ...body };
    },
  });
}
