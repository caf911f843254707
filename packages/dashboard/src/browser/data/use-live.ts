import { useEffect, useRef } from 'preact/hooks';
import { type LiveHandlers, type LiveQuestion, liveState, openLiveStream } from './live-stream.ts';

/** Follows a question while the component is shown. A question of null follows nothing. */
export function useLive(question: LiveQuestion | null, handlers: LiveHandlers): void {
  const newest = useRef(handlers);
  newest.current = handlers;
  const key = question === null ? null : JSON.stringify(question);
  useEffect(() => {
    if (key === null) return;
    const asked = JSON.parse(key) as LiveQuestion;
    const follow = () =>
      openLiveStream(
        asked,
        {
          rate: (data) => newest.current.rate?.(data),
          bank: (data) => newest.current.bank?.(data),
          health: (data) => newest.current.health?.(data),
          activity: (data) => newest.current.activity?.(data),
        },
        { onState: liveState.set },
      );
    let stream: { close(): void } | null = follow();
    // A page that the browser keeps for going back must hold no connection.
    const leave = () => {
      stream?.close();
      stream = null;
    };
    const comeBack = () => {
      stream ??= follow();
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
      leave();
    };
  }, [key]);
}
