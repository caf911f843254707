import type { Outage } from '@lending/runtime';

/** Tells an outage how an attempt went: null is a success. */
export function tell(outage: Outage): (error: unknown) => void {
  return (error) => (error === null ? outage.recovered() : outage.failed(error));
}
