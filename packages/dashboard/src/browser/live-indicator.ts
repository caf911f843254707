import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { liveState } from './data/live-stream.ts';
import { html } from './html.ts';
import { announce } from './parts/announce.ts';
import { useStore } from './store.ts';

const WORDS = { off: '', connecting: 'Connecting', connected: 'Live', waiting: 'Reconnecting' } as const;

/** Breaks shorter than this are nobody's concern. */
const WORTH_TELLING_MS = 10_000;

/** Whether what is shown keeps itself current. */
export function LiveIndicator(): VNode | null {
  const state = useStore(liveState);
  const wasTold = useRef(false);
  useEffect(() => {
    if (state === 'connected' && wasTold.current) {
      wasTold.current = false;
      announce('Live updates are back');
    }
    if (state !== 'waiting') return;
    const timer = setTimeout(() => {
      wasTold.current = true;
      announce('Live updates are interrupted');
    }, WORTH_TELLING_MS);
    return () => clearTimeout(timer);
  }, [state]);
  if (state === 'off') return null;
  return html`<span class=${`live live-${state}`}><span class="live-dot" aria-hidden="true"></span>${WORDS[state]}</span>`;
}
