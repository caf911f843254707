import { z } from 'zod';
import { findBank } from '#reads/find-bank.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { bankLimitsReplySchema } from '#records/limit-fields.ts';
import { answerLimits, limitsInput } from './answer-limits.ts';
import { ADDRESS_ALLOWED, addressText, requiredField } from './input-field.ts';
import { type CallContext, defineOperation, type Operation } from './tool.ts';

const input = z.strictObject({
  bank: requiredField(addressText, 'Bank address', ADDRESS_ALLOWED),
  ...limitsInput,
});

/** How the caps of one bank changed. */
export function createGetBankLimits(reads: ReadDeps): Operation {
  return defineOperation({
    name: 'get_bank_limits',
    title: 'Limit history of a bank',
    description:
      "How the bank's deposit, borrow and collateral value limits changed, newest first. A change counts from when it was seen; " +
      'the caps of the reserve behind a bank are in GET /v1/reserves/{reserve}/limits.',
    rest: { method: 'GET', path: '/v1/banks/:bank/limits' },
    errors: ['BANK_NOT_FOUND'],
    input,
    output: bankLimitsReplySchema,
    async handle(query: z.infer<typeof input>, context: CallContext) {
      const { record, reading } = findBank(await reads.banks.get(), query.bank);
      const { address, venue, symbol, decimals } = record;
      const body = await answerLimits(reads, { address, decimals, reading }, query, context);
      return {
        bank: address,
        venue,
        symbol,
        deposit_limit_unit: venue === 'P0' ? ('token' as const) : ('receipt' as const),
        ...body,
      };
    },
  });
}
