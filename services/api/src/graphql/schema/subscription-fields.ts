import { liveFields } from '../live/live-fields.ts';
import type { Fields, RecordTypes } from './record-types.ts';

/** Everything that can be subscribed to; added to as `query-fields.ts` says. Each field has `subscribe`, an async iterable. */
export function subscriptionFields(types: RecordTypes): Fields {
  return liveFields(types);
}
