import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Requested, useRequest } from '../data/use-request.ts';
import type { WireHistoryReply } from '../data/wire-records.ts';
import { historyPath, RANGES, type RangeKey } from './history-range.ts';

/** A chart may lie so far behind what the stream tells before it is asked for again. */
const LEAST_BEHIND_MS = 5 * 60_000;

/**
 * The history of a bank over a range: one request when the range is chosen, and another when the stream tells of times that the picture
 * does not show yet. What was known stays while it is asked for again.
 */
export function useHistory(address: string, range: RangeKey, newestTime: string): Requested<WireHistoryReply> {
  const [askedMs, setAskedMs] = useState(Date.now());
  const request = useRequest<WireHistoryReply>(historyPath(address, range, askedMs));
  const known = useRef<{ readonly of: string; readonly data: WireHistoryReply } | null>(null);
  const of = `${address} ${range}`;
  if (request.data !== null) known.current = { of, data: request.data };
  const behindMs = Math.max(LEAST_BEHIND_MS, RANGES[range].stepSeconds * 1000);
  const isBehind = newestTime !== '' && Date.parse(newestTime) - askedMs > behindMs;
  useEffect(() => {
    if (isBehind && document.visibilityState === 'visible') setAskedMs(Date.now());
  }, [isBehind, newestTime]);
  const { reload: askAgain } = request;
  const reload = useCallback(() => {
    setAskedMs(Date.now());
    askAgain();
  }, [askAgain]);
  return { ...request, data: known.current?.of === of ? known.current.data : null, reload };
}
