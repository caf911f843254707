/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The first events of a stream, as many as there are within the time; leaves then. */
export async function readEvents(
  url: string,
  { count, withinMs, ...init }: RequestInit & { readonly count: number; readonly withinMs: number },
): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  const signal = AbortSignal.timeout(withinMs);
  let text = '';
  try {
    const response = await fetch(url, { ...init, signal });
    if (!response.ok || response.body === null) throw new Error(`${new URL(url).pathname} answers ${response.status}`);
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n');
      text = blocks.pop() ?? '';
      events.push(...blocks.flatMap(parseBlock));
      if (events.length >= count) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return events;
}

function parseBlock(block: string): readonly StreamEvent[] {
  const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line));
  const fieldOf = (name: string) => lines.find((line) => line?.[1] === name)?.[2];
  const data = fieldOf('data');
  return data === undefined || data === '' ? [] : [{ event: fieldOf('event') ?? 'message', data: JSON.parse(data) }];
}
