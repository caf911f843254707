import type { Check } from './check.ts';

/** What was built is simulated once more, by its plan and by its bytes. */
export const simulateAgain: Check = {
  name: 'what was built would still land',
  async run({ service, findings: { plan } }) {
    if (plan === null) return { skipped: 'nothing was built' };
    const faults: string[] = [];
    for (const body of [{ plan_id: plan.id }, { transactions: plan.transactions }]) {
      const { simulation, error } = await service.ask('svc_simulate_transactions', { body });
      if (!simulation.success) faults.push(`${Object.keys(body)[0]}: ${error?.code} ${error?.error}`);
    }
    return { faults };
  },
};

/** Nothing is signed and nothing is sent: it is in no block. */
export const verifyPlan: Check = {
  name: 'what was built is not said to have landed',
  async run({ service, findings: { plan } }) {
    if (plan === null) return { skipped: 'nothing was built' };
    const { landed, signature } = await service.ask('svc_verify_plan', { query: { plan_id: plan.id } });
    const isRight = landed !== true && signature === null;
    return { faults: isRight ? [] : [`plan ${plan.id} was not sent, and landed is ${landed}, signature ${signature}`] };
  },
};

/** A transaction of somebody who used a bank, which landed by the node's account. */
export const verify: Check = {
  name: 'a transaction that landed is known as that',
  async run({ service, findings: { landed } }) {
    if (landed === null) return { skipped: 'no transaction was found' };
    const told = await service.ask('svc_verify_landing', { path: { signature: landed } });
    const isRight = told.landed === true && told.success === true;
    return {
      faults: isRight ? [] : [`${landed} landed, and is said to be landed: ${told.landed}, success: ${told.success}`],
      figures: { signature: landed },
    };
  },
};
