/** One HTTP request as the node in between saw it; times in ms of its own clock. */
export interface NodeRequest {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly body: string;
}

/**
 * The requests in waves: what began before anything of its wave was answered stands in that wave. As many waves as there are, so many
 * round trips one after the other it took.
 */
export function wavesOf(requests: readonly NodeRequest[]): readonly (readonly NodeRequest[])[] {
  const waves: NodeRequest[][] = [];
  for (const request of requests.toSorted((one, other) => one.startedAt - other.startedAt)) {
    // After the last wave that had an answer when this began, which may have been what it waited for.
    const before = waves.findLastIndex((wave) => wave.some(({ endedAt }) => endedAt <= request.startedAt));
    const wave = waves[before + 1];
    if (wave === undefined) waves.push([request]);
    else wave.push(request);
  }
  return waves;
}

/** In which wave each method stood, by its name. */
export type Shape = ReadonlyMap<string, number>;

/** The shape that most of some builds have. */
export function usualShape(builds: readonly (readonly (readonly NodeRequest[])[])[]): Shape {
  const byText = Map.groupBy(builds, (waves) => waves.map(namesOf).join(' > '));
  const [most = []] = [...byText.values()].toSorted((one, other) => other.length - one.length);
  return new Map((most[0] ?? []).flatMap((wave, index) => wave.map((request) => [namesOf([request]), index] as const)));
}

/**
 * The requests in the waves of a shape. On a busy machine, or where a node answers at once, requests that wait for nothing may still miss
 * each other and look like one after the other; a shape that was seen over a slow network tells. What the shape does not know, or has
 * seen once and comes twice, is told apart by time.
 */
export function wavesByShape(requests: readonly NodeRequest[], shape: Shape): readonly (readonly NodeRequest[])[] {
  const names = requests.map((request) => namesOf([request]));
  if (new Set(names).size < names.length || names.some((name) => !shape.has(name))) return wavesOf(requests);
  const waves = Map.groupBy(requests, (request) => shape.get(namesOf([request])) ?? 0);
  return [...waves].toSorted(([one], [other]) => one - other).map(([, wave]) => wave);
}

/** Methods of a wave, for reading a result: `getMultipleAccounts + getRecentPrioritizationFees`. */
export function namesOf(wave: readonly NodeRequest[]): string {
  return wave
    .flatMap(({ body }) => {
      const parsed = JSON.parse(body) as { readonly method: string } | readonly { readonly method: string }[];
      return [parsed].flat().map(({ method }) => method);
    })
    .toSorted()
    .join(' + ');
}
