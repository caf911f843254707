import type { WireCode } from '@lending/errors';
import type { z } from 'zod';
import type { AggregatorKeys } from '#builds/aggregator-keys.ts';
import type { Report } from '#builds/build-steps.ts';
import type { KeptText } from './kept-text.ts';

/** The door a call came through: defaults differ (an agent's context is dear, a program's socket is not). */
type Door = 'mcp' | 'rest';

/** For whoever does not wait to be told. */
export const REPORT_NOTHING: Report = () => {};

export interface CallContext {
  readonly door: Door;
  /** The tool or the path to name in an error's "next call". */
  readonly callName: string;
  /** Of this request's headers; none for an operation that takes none. */
  readonly aggregatorKeys: AggregatorKeys;
  /** Whose call it is, as limits count. */
  readonly client: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly report: Report;
  /** What the page of an error code is addressed by at this door, before the code; for errors inside an answer. */
  readonly docsBase: string;
}

/**
 * A reply that was serialized already. `value` is what an agent's client gets as structured content, `text` the same JSON: `kept`, which
 * other answers have too, between the rest.
 */
export class RenderedReply<T> {
  readonly value: T;
  readonly before: string;
  readonly kept: KeptText;
  readonly after: string;

  constructor(value: T, before: string, kept: KeptText, after: string) {
    this.value = value;
    this.before = before;
    this.kept = kept;
    this.after = after;
  }

  get text(): string {
    return `${this.before}${this.kept.text}${this.after}`;
  }
}

/** Hints an agent's client may act on. All four are always set: the protocol's defaults assume the worst. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A read changes nothing, may be repeated, and speaks about a world we do not own. */
export const READ_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

interface RestBinding {
  readonly method: 'GET' | 'POST';
  /** Fastify path; `:name` segments are fields of the input. */
  readonly path: string;
  /** The same without the last segment, for who names the subject otherwise. */
  readonly alsoPath?: string;
}

/** That an operation will end. */
export interface Deprecation {
  /** ISO-8601. */
  readonly since: string;
  /** ISO-8601, the first moment without it. */
  readonly sunset: string;
  /** The path of what takes its place. */
  readonly successor?: string;
}

/** An example of an operation: a body that it takes, as the OpenAPI page shows it. */
export type ExampleBody = Readonly<Record<string, unknown>>;

/** Wire codes that any operation can answer. */
export const COMMON_ERRORS: readonly WireCode[] = [
  'INVALID_ARGUMENT',
  'INTERNAL',
  'DATA_STALE',
  'UPSTREAM_UNAVAILABLE',
];

/**
 * One thing a caller can ask, written once. The doors are made from it: REST routes, the OpenAPI page and, for a tool, MCP.
 */
export interface Operation<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> {
  /** `svc_get_banks` for a tool, the same style for what only REST has; the OpenAPI operation id. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly rest: RestBinding;
  /** Wire codes this operation can answer besides those that every one can (`COMMON_ERRORS`). */
  readonly errors?: readonly WireCode[];
  /** Bodies for the OpenAPI page, of an operation that has one. */
  readonly examples?: readonly ExampleBody[];
  /** What a call is counted by besides its door: loops and closes share one limit, at whichever door they come in. */
  readonly rateScope?: 'leverage';
  /** Whether the caller's keys for aggregators are read from the request's headers. */
  readonly takesAggregatorKeys?: boolean;
  /** A read whose answer is of this moment, kept by nobody: what became of a transaction. */
  readonly isAboutNow?: boolean;
  /** Set where it ends some day: nothing of `/v1` goes before it was said for long enough. */
  readonly deprecated?: Deprecation;
  /** Other media types of the 200 reply, such as `text/csv`. */
  readonly otherMediaTypes?: readonly string[];
  /** What it needs was bound when it was made: the doors hand in the parsed input and who asks, nothing else. */
  handle(input: z.output<I>, context: CallContext): Promise<z.output<O> | RenderedReply<z.output<O>> | TextReply>;
}

/** What an operation answers, whatever it is: a record, one that was serialized already, or a text. */
export type Answer = Awaited<ReturnType<Operation['handle']>>;

/** A reply that is not JSON. REST only. */
export class TextReply {
  readonly mediaType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(mediaType: string, text: string, headers: Readonly<Record<string, string>> = {}) {
    this.mediaType = mediaType;
    this.text = text;
    this.headers = headers;
  }
}

/** An operation that agents get as well. */
export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> extends Operation<I, O> {
  readonly annotations: ToolAnnotations;
  /** Over MCP alone: what has a path of its own over REST. */
  readonly also?: ToolForm;
}

/** A second question that a tool answers, chosen by the fields of this input: one at least, none of which the tool's own input has. */
export type ToolForm = Pick<Operation, 'description' | 'input' | 'output' | 'handle'>;

/** Keeps a definition's own types while it is written; the registry forgets them. */
export function defineTool<I extends z.ZodObject, O extends z.ZodType>(tool: Tool<I, O>): Tool {
  return tool;
}

/** The same for what only REST has. */
export function defineOperation<I extends z.ZodObject, O extends z.ZodType>(operation: Operation<I, O>): Operation {
  return operation;
}
