import { type Context, type Link, SpanKind, TraceFlags } from '@opentelemetry/api';
import { ParentBasedSampler, type Sampler, SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';

/**
 * Which traces are kept: a part of those that begin here, by chance, and all of each. What a caller's `traceparent` says of it counts for nothing: such
 * a request is the first of a trace of ours and points at the caller's. What reads messages is kept where one of them was published in a trace
 * that is: those come from ourselves.
 */
export function createSampler(ratio: number): Sampler {
  const byChance = new TraceIdRatioBasedSampler(ratio);
  const root: Sampler = {
    shouldSample: (...args) => {
      const [, , , kind, , links] = args;
      if (kind !== SpanKind.CONSUMER) return byChance.shouldSample(args[0], args[1]);
      return { decision: links.some(isKept) ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `ByChanceOrLink{${ratio}}`,
  };
  const byParent = new ParentBasedSampler({ root });
  return {
    shouldSample: (parent: Context, ...rest) => byParent.shouldSample(parent, ...rest),
    toString: () => byParent.toString(),
  };
}

function isKept({ context }: Link): boolean {
  return (context.traceFlags & TraceFlags.SAMPLED) !== 0;
}
