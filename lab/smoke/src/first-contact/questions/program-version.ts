import type { Answer, Contact, Question } from './question.ts';

/** Which version runs, and since when. Without an answer nothing else can be trusted. */
export const programVersion: Question = {
  id: 'program_version',
  question: 'Which version runs, and since which slot?',
  strictRule: 'nothing is built unless lengths of accounts and a simulated instruction agree',
  ask: async ({ market: { running }, deployments }: Contact): Promise<Answer> => {
    const { version, deploySlot, standing, reason } = running;
    const slots =
      deployments.length === 0 ? '' : `, transactions that replaced its code at slots ${deployments.join(', ')}`;
    return {
      answer: reason ?? `${version}, deployed at slot ${deploySlot}, ${standing}`,
      evidence: `ProgramData, lengths of accounts${standing === 'inferred' ? ', instructions that are dispatched' : ''}${slots}`,
      relaxes: null,
      assumptionFallen: reason,
    };
  },
};
