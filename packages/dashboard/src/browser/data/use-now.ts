import { useEffect, useState } from 'preact/hooks';

/** Our clock, ms since 1970, moving on every so often: for ages that grow while a page is looked at. */
export function useNow(everyMs = 10_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
