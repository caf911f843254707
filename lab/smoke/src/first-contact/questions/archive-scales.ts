import { open, type Question } from './question.ts';

/** No figure on the chain says it. */
export const archiveScales: Question = {
  id: 'archive_scales',
  question: 'In which scales are the archive’s prices and APYs?',
  strictRule: 'they are not shown',
  ask: async () => open('it takes a comparison by hand with the price of SOL'),
};
