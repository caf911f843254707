import { z } from 'zod';
import { type SimulateDeps, simulateAgain } from '#builds/simulate-again.ts';
import { simulationReplySchema } from '#records/landing-fields.ts';
import { inputField, requiredField } from './input-field.ts';
import { invalid } from './parse-input.ts';
import { PLAN_ID_ALLOWED, planIdText } from './plan-id.ts';
import { type CallContext, defineOperation, type Operation, type ToolForm } from './tool.ts';

const MOST_TRANSACTIONS = 5;
/** The largest transaction, of version 1, is 4,096 bytes. */
const MOST_CHARACTERS = 5_464;

const input = z.strictObject({
  plan_id: inputField(planIdText, 'plan_id of an envelope', PLAN_ID_ALLOWED),
  transactions: inputField(
    z.array(z.base64().min(1).max(MOST_CHARACTERS)).min(1).max(MOST_TRANSACTIONS),
    'Or the transactions as base64, signed or not, in their order',
    `1 to ${MOST_TRANSACTIONS} transactions as base64`,
  ),
});

/** How an envelope's transactions would fare now. */
export function createSimulateTransactions(deps: SimulateDeps): Operation {
  return defineOperation({
    name: 'svc_simulate_transactions',
    title: 'Simulate again',
    description:
      'Runs the transactions of an envelope on the chain as it is now, without sending them: whether they would still land, and why not. ' +
      'Pass plan_id, or transactions.',
    rest: { method: 'POST', path: '/v1/tx/simulate' },
    errors: ['NOT_FOUND', 'TX_TOO_LARGE'],
    examples: [{ plan_id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }],
    input,
    output: simulationReplySchema,
    async handle({ plan_id: planId, transactions }: z.infer<typeof input>, context: CallContext) {
      const { callName } = context;
      if ((planId === undefined) === (transactions === undefined)) {
        const wrong = planId === undefined ? 'plan_id is missing' : 'plan_id and transactions are both given';
        throw invalid(wrong, 'plan_id, or transactions', callName, { field: 'plan_id' });
      }
      const target = planId === undefined ? { transactions: transactions ?? [] } : { planId };
      return simulateAgain(deps, target, context);
    },
  });
}

const formInput = z.strictObject({
  plan_id: requiredField(planIdText, 'An envelope to simulate again', PLAN_ID_ALLOWED),
});

/** The same of an envelope for agents, through the tool that answers health. */
export function simulateForm(deps: SimulateDeps): ToolForm {
  return {
    description: 'With plan_id instead: whether an envelope would still land, simulated again and not sent.',
    input: formInput,
    output: simulationReplySchema,
    handle: ({ plan_id: planId }: z.infer<typeof formInput>, context: CallContext) =>
      simulateAgain(deps, { planId }, context),
  };
}
