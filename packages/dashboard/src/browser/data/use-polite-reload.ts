import { useEffect } from 'preact/hooks';

/** Asks again every so often, while somebody looks: a page in the background asks nothing, and asks at once when it is looked at late. */
export function usePoliteReload(
  reload: () => void,
  { everyMs, isWanted }: { readonly everyMs: number; readonly isWanted: boolean },
): void {
  useEffect(() => {
    if (!isWanted) return;
    let dueMs = Date.now() + everyMs;
    const ask = (): void => {
      if (document.visibilityState !== 'visible' || Date.now() < dueMs) return;
      dueMs = Date.now() + everyMs;
      reload();
    };
    const timer = setInterval(ask, 1_000);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
    };
  }, [reload, everyMs, isWanted]);
}
