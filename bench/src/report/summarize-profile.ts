import { fileURLToPath } from 'node:url';

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
export interface ProfileSummary {
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
