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

export function shapeOf(waves: readonly (readonly NodeRequest[])[]): Shape {
  return new Map(waves.flatMap((wave, index) => wave.map((request) => [namesOf([request]), index] as const)));
}

/**
 * The requests in the waves of a shape. Where a node answers at once, requests that wait for nothing may still miss each other, and look
 * like one after the other; a shape that was seen over a slower network tells.
 */
export function wavesByShape(requests: readonly NodeRequest[], shape: Shape): readonly (readonly NodeRequest[])[] {
  if (requests.some((request) => !shape.has(namesOf([request])))) return wavesOf(requests);
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
