import { useCallback, useEffect, useRef } from 'preact/hooks';

/** Turns many calls into few: the first asks soon, those that follow are made into one that waits its turn. */
export function useSpacedReload(reload: () => void, everyMs = 15_000): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const lastMs = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    if (timer.current !== undefined) return;
    const wait = Math.max(FIRST_MS, lastMs.current + everyMs - Date.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastMs.current = Date.now();
      reload();
    }, wait);
  }, [reload, everyMs]);
}

/** What happened on the chain is told leg by leg: the answer is asked for when they are all there. */
const FIRST_MS = 1_000;
