import { createStore } from '../store.ts';

/** `system` follows the reader's machine. The page's first script applies the same words under the same key. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'theme';

export const theme = createStore<Theme>('system');

/** Takes up what was chosen on an earlier visit, and follows the machine where it changes. */
export function watchTheme(): void {
  theme.set(readTheme());
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) applyTheme(readTheme());
  });
}

export function chooseTheme(chosen: Theme): void {
  try {
    if (chosen === 'system') window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing shows the theme until the page is left.
  }
  applyTheme(chosen);
}

/** Calls back whenever colours may have changed, by choice or by the machine. */
export function onColoursChange(listener: () => void): () => void {
  const media = window.matchMedia('(prefers-color-scheme: dark)');
  media.addEventListener('change', listener);
  const unsubscribe = theme.subscribe(listener);
  return () => {
    media.removeEventListener('change', listener);
    unsubscribe();
  };
}

function applyTheme(chosen: Theme): void {
  const { dataset } = document.documentElement;
  if (chosen === 'system') delete dataset.theme;
  else dataset.theme = chosen;
  theme.set(chosen);
}

function readTheme(): Theme {
  try {
    const kept = window.localStorage.getItem(KEY);
    return THEMES.find((word) => word === kept) ?? 'system';
  } catch {
    return 'system';
  }
}
