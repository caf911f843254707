/** One HTTP request as the hosts in between saw it; times in ms of their own clock. */
export interface HostRequest {
  /** Which of the hosts; the first is the node. */
  readonly host: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly body: string;
}

/**
 * The requests in waves: what began before anything of its wave was answered stands in that wave. As many waves as there are, so many
 * round trips one after the other it took.
 */
export function wavesOf(requests: readonly HostRequest[]): readonly (readonly HostRequest[])[] {
  const waves: HostRequest[][] = [];
  for (const request of requests.toSorted((one, other) => one.startedAt - other.startedAt)) {
    // After the last wave that had an answer when this began, which may have been what it waited for.
    const before = waves.findLastIndex((wave) => wave.some(({ endedAt }) => endedAt <= request.startedAt));
    const wave = waves[before + 1];
    if (wave === undefined) waves.push([request]);
    else wave.push(request);
  }
  return waves;
}

/** In which wave each request stood, by its name. */
export type Shape = ReadonlyMap<string, number>;

/** The shape that most of some builds have. */
export function usualShape(builds: readonly (readonly (readonly HostRequest[])[])[]): Shape {
  const byText = Map.groupBy(builds, (waves) => waves.map(namesOf).join(' > '));
  const [most = []] = [...byText.values()].toSorted((one, other) => other.length - one.length);
  const waves = most[0] ?? [];
  const wave = new Map(waves.flatMap((each, index) => each.map((request) => [request, index] as const)));
  return new Map([...countedNames(waves.flat())].map(([request, name]) => [name, wave.get(request) ?? 0]));
}

/**
 * The requests in the waves of a shape. On a busy machine, or where a node answers at once, requests that wait for nothing may still miss
 * each other and look like one after the other; a shape that was seen over a slow network tells. What the shape does not know is told
 * apart by time.
 */
export function wavesByShape(requests: readonly HostRequest[], shape: Shape): readonly (readonly HostRequest[])[] {
  const names = countedNames(requests);
  if ([...names.values()].some((name) => !shape.has(name))) return wavesOf(requests);
  const waves = Map.groupBy(requests, (request) => shape.get(names.get(request) ?? '') ?? 0);
  return [...waves].toSorted(([one], [other]) => one - other).map(([, wave]) => wave);
}

/** What is asked more than once is counted, in the order it was asked: `getMultipleAccounts 2`. */
function countedNames(requests: readonly HostRequest[]): ReadonlyMap<HostRequest, string> {
  const counts = new Map<string, number>();
  return new Map(
    requests
      .toSorted((one, other) => one.startedAt - other.startedAt)
      .map((request) => {
        const name = namesOf([request]);
        const count = (counts.get(name) ?? 0) + 1;
        counts.set(name, count);
        return [request, `${name} ${count}`] as const;
      }),
  );
}

/** Methods of a wave, and paths where the host is no node, for reading a result: `getMultipleAccounts + getRecentPrioritizationFees`. */
export function namesOf(wave: readonly HostRequest[]): string {
  return wave
    .flatMap(({ host, path, body }) => {
      if (host > 0) return [path.split('?')[0] ?? ''];
      const parsed = JSON.parse(body) as { readonly method: string } | readonly { readonly method: string }[];
      return [parsed].flat().map(({ method }) => method);
    })
    .toSorted()
    .join(' + ');
}
