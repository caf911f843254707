import { describeError, isLendingError } from '@lending/errors';
import type { EventName, Logger } from './logger.ts';
import type { ComponentReporter } from './readiness.ts';

/** Follows one part of a process through its failures. */
export interface Outage {
  failed(error: unknown): void;
  recovered(): void;
}

export interface OutageOptions {
  readonly component: ComponentReporter;
  readonly logger: Logger;
  readonly failEvent: EventName;
  readonly resumeEvent: EventName;
}

/**
 * Says once that a part fails and once that it works again, however often it is tried in between. A failure of another kind in
 * the same outage gets a line of its own. `chainHooks` logs the outage of an RPC node: here its begin and end are debug lines, because a part
 * may fail and recover many times while a node answers only some calls.
 */
export function createOutage({ component, logger, failEvent, resumeEvent }: OutageOptions): Outage {
  const said = new Set<string>();
  let isDown = false;
  let isNodeOnly = true;
  return {
    failed(error) {
      component.notReady(reasonOf(error));
      isDown = true;
      const kind = isLendingError(error) ? error.code : describeError(error);
      if (said.has(kind)) return;
      said.add(kind);
      if (kind.startsWith('CHAIN__RPC_')) return logger.debug(failEvent, { error });
      isNodeOnly = false;
      logger.warn(failEvent, { error });
    },
    recovered() {
      component.ready();
      if (isDown && said.size > 0) logger[isNodeOnly ? 'debug' : 'info'](resumeEvent);
      isDown = false;
      isNodeOnly = true;
      said.clear();
    },
  };
}

/** The failure itself without what caused it: that is for the log. */
function reasonOf(error: unknown): string {
  return isLendingError(error) ? `${error.code}: ${error.message}` : describeError(error);
}
