import type { AnswerDeps } from './aggregator-call.ts';
import type { AggregatorFault } from './aggregator-fault.ts';
import { AGGREGATOR_NAMES, type AggregatorName } from './aggregator-name.ts';
import { type AggregatorRequest, type AggregatorServer, createAggregatorServer } from './aggregator-server.ts';

/** Both swap aggregators of the demo market. */
export interface Aggregators {
  /** Resolves with the URL of each once both listen. */
  listen(): Promise<Readonly<Record<AggregatorName, string>>>;
  close(): Promise<void>;
  /** What each was asked, oldest first; the last thousand. */
  requestsOf(aggregator: AggregatorName): readonly AggregatorRequest[];
  setFault(aggregator: AggregatorName, fault: AggregatorFault | null): void;
}

/** Builds both without listening. */
export function createAggregators(deps: AnswerDeps): Aggregators {
  const servers: Readonly<Record<AggregatorName, AggregatorServer>> = {
    jupiter: createAggregatorServer('jupiter', deps),
    dflow: createAggregatorServer('dflow', deps),
  };
  return {
    listen: async () => ({ jupiter: await servers.jupiter.listen(0), dflow: await servers.dflow.listen(0) }),
    async close() {
      await Promise.all(AGGREGATOR_NAMES.map((name) => servers[name].close()));
    },
    requestsOf: (aggregator) => servers[aggregator].requests,
    setFault: (aggregator, fault) => servers[aggregator].setFault(fault),
  };
}
