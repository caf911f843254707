import { type Answer, type Contact, open, type Question } from './question.ts';

export const residualBytes: Question = {
  id: 'balance_residual_bytes',
  question: 'Has any balance bytes left over where a premium stands?',
  strictRule: 'a premium is valued only of debts in banks that charge one',
  ask: async ({ scan }: Contact): Promise<Answer> => {
    const { total, seen, residuals, residualExample, unreadable } = scan;
    const evidence = `${seen} of ${total} accounts read${unreadable === 0 ? '' : `, ${unreadable} of them not readable`}`;
    if (seen < total || total === 0) return open('not all accounts were read', evidence);
    if (residuals === 0)
      return { answer: 'no', evidence, relaxes: unreadable === 0 ? true : null, assumptionFallen: null };
    return {
      answer: `yes: ${residuals}, the first of ${residualExample}`,
      evidence,
      relaxes: false,
      assumptionFallen: null,
    };
  },
};
