import type { WireCode } from '@lending/errors';
import type { TwoDoors } from './two-doors.ts';

/** One call, as either door takes it. */
export interface Asked {
  readonly tool: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A state of the chain, or of what is around it, in which a call is refused with a code. */
export interface Provocation {
  readonly code: WireCode;
  /** What is the matter. */
  readonly name: string;
  /** Fields of `details` that the specification, or the words, promise. */
  readonly details?: readonly string[];
  /** Makes it so, and says what to ask. */
  arrange(doors: TwoDoors): Promise<Asked & { restore?(): void | Promise<void> }>;
}

/** An answer that is an error. */
export interface Refused {
  readonly status: number | null;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A builder's call. */
export function build(kind: string, args: Asked['args']): Asked {
  const path = `/v1/tx/${kind.replace('_', '-')}`;
  return { tool: `svc_${kind}`, method: 'POST', path, args };
}

/** As curl would. */
export async function askRest({ url }: TwoDoors, { method, path, args }: Asked): Promise<Refused> {
  const headers = { 'content-type': 'application/json' };
  const init = method === 'GET' ? {} : { method, headers, body: JSON.stringify(args) };
  const response = await fetch(`${url}${path}`, init);
  return { status: response.status, body: (await response.json()) as Refused['body'] };
}

/** As an agent's client does: an error is a result, said twice. */
export async function askMcp({ mcp }: TwoDoors, { tool, args }: Asked): Promise<Refused> {
  const result = (await mcp.callTool({ name: tool, arguments: args })) as {
    readonly isError?: boolean;
    readonly structuredContent?: Refused['body'];
    readonly content: readonly { readonly type: string; readonly text?: string }[];
  };
  if (result.isError !== true)
    throw new Error(`${tool} answered without an error: ${JSON.stringify(result).slice(0, 300)}`);
  const [said] = result.content;
  return { status: null, body: { ...JSON.parse(said?.text ?? '{}'), ...result.structuredContent } };
}
