import type { ProfileSummary } from './summarize-profile.ts';
import type { Versions } from './surroundings.ts';

/** What is left out is less than this. */
const LEAST_SHARE = 0.005;
const MOST_FUNCTIONS = 15;

/** The page of one profile: where a process's time went while a benchmark measured it. */
export function renderProfile(
  name: string,
  arguments_: readonly string[],
  summary: ProfileSummary,
  versions: Versions,
): string {
  const rows = (shares: ProfileSummary['byPart']) =>
    shares.map(({ name: part, share }) => `| ${part} | ${(share * 100).toFixed(1)} % |`);
  return [
    `# Where the time goes: ${name}`,
    '',
    `Written by \`npm run bench -- ${name} --profile\`; do not edit. Processor time of the main thread, by whose function was running while it was`,
    `measured: ${(summary.busyMs / 1_000).toFixed(1)} s at work. Arguments: \`${arguments_.join(' ')}\`. Node ${versions.node}, commit ${versions.commit}.`,
    '',
    '| part | time |',
    '|---|---|',
    ...rows(summary.byPart.filter(({ share }) => share >= LEAST_SHARE)),
    '',
    '| function | time |',
    '|---|---|',
    ...rows(summary.byFunction.slice(0, MOST_FUNCTIONS)),
    '',
  ].join('\n');
}
