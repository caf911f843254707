import { PAGE_PATHS } from '../page-paths.ts';
import { createStore, useStore } from '../store.ts';
import { matchPath } from './match-path.ts';

/** Where the reader is. */
export interface PageLocation {
  readonly path: string;
  /** With its question mark, or empty. */
  readonly search: string;
}

const here = (): PageLocation => ({ path: window.location.pathname, search: window.location.search });
const location = createStore<PageLocation>({ path: '/', search: '' });

export const useLocation = (): PageLocation => useStore(location);

/** Goes to another page, or to another state of this one, without loading it anew. `replace` leaves no entry to go back to. */
export function navigate(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  const url = new URL(href, window.location.href);
  const before = location.get();
  window.history[replace ? 'replaceState' : 'pushState'](null, '', url);
  location.set(here());
  if (url.pathname !== before.path) window.scrollTo(0, 0);
}

/** Follows the history and every link to a page of ours. */
export function watchLocation(): void {
  location.set(here());
  window.addEventListener('popstate', () => location.set(here()));
  document.addEventListener('click', (event) => {
    const href = hrefToFollow(event);
    if (href === null) return;
    event.preventDefault();
    navigate(href);
  });
}

/** The page of ours that a click asks for in this window; null leaves the click to the browser. */
function hrefToFollow(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.target !== '' || link.hasAttribute('download')) return null;
  if (link.origin !== window.location.origin || link.hash !== '') return null;
  return PAGE_PATHS.some((pattern) => matchPath(pattern, link.pathname) !== null) ? link.href : null;
}
