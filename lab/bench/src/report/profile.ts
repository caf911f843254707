import { fileURLToPath } from 'node:url';
import type { Versions } from './surroundings.ts';

/** What Node writes with `--cpu-prof`. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds of the machine's own clock, which begins nowhere in particular. */
  readonly startTime: number;
  /** Microseconds between a sample and the one before. */
  readonly timeDeltas: readonly number[];
}

/** Time at work, and whose it was; shares add up to one. */
interface ProfileSummary {
  readonly busyMs: number;
  readonly byPart: readonly Share[];
  readonly byFunction: readonly Share[];
}

interface Share {
  readonly name: string;
  readonly share: number;
}

/**
 * Says where time at work went: by the part of the program whose function was at the top, and by that function. Waiting is no work.
 * @param sinceUs what was before is left out
 */
export function summarizeProfile(profile: CpuProfile, root: string, sinceUs = 0): ProfileSummary {
  const nodes = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busy = 0;
  let at = profile.startTime;
  profile.samples.forEach((id, index) => {
    const frame = nodes.get(id);
    const took = profile.timeDeltas[index] ?? 0;
    at += took;
    if (frame === undefined || took <= 0 || at < sinceUs || frame.functionName === '(idle)') return;
    const part = partOf(frame, root);
    busy += took;
    byPart.set(part, (byPart.get(part) ?? 0) + took);
    const name = `${frame.functionName === '' ? 'anonymous' : frame.functionName} (${part})`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + took);
  });
  return { busyMs: busy / 1_000, byPart: sharesOf(byPart, busy), byFunction: sharesOf(byFunction, busy) };
}

function sharesOf(times: ReadonlyMap<string, number>, busy: number): readonly Share[] {
  return [...times]
    .map(([name, took]) => ({ name, share: took / busy }))
    .toSorted((one, other) => other.share - one.share);
}

/** A folder of ours, a library, or a part of Node. */
function partOf({ functionName, url }: CpuProfile['nodes'][number]['callFrame'], root: string): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return 'native code';
  if (url.startsWith('wasm:')) return 'WebAssembly';
  if (url.startsWith('node:')) return 'Node';
  const path = url.startsWith('file:') ? fileURLToPath(url) : url;
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (library !== undefined) return library;
  const [top = '', name = '', src = '', folder = ''] = path.slice(root.length).split('/');
  if (top === 'services' && !folder.includes('.')) return [top, name, src, folder].join('/');
  return [top, name].join('/');
}

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
