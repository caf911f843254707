import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { html } from './html.ts';
import { LiveIndicator } from './live-indicator.ts';
import { NotFoundPage } from './not-found-page.ts';
import { PAGES } from './pages.ts';
import { LiveRegion } from './parts/announce.ts';
import { useLocation } from './router/location.ts';
import { matchPath } from './router/match-path.ts';
import { ThemeToggle } from './theme/theme-toggle.ts';

/** The frame around every page. */
export function App(): VNode {
  const { path } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    // A page that was loaded begins at its top, as every page does; one that was navigated to is read out from its heading.
    if (!isFirst.current) main.current?.querySelector('h1')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return html`
    <a class="skip-link" href="#main">Skip to content</a>
    <header class="site-head">
      <div class="site-head-inner">
        <a class="brand" href="/">Lending</a>
        <nav aria-label="Pages">
          <ul>
            ${PAGES.flatMap(({ path: target, nav }) =>
              nav === undefined
                ? []
                : html`<li key=${target}><a href=${target} aria-current=${currentOf(target, path)}>${nav}</a></li>`,
            )}
          </ul>
        </nav>
        <div class="site-tools">
          <${LiveIndicator} />
          <${ThemeToggle} />
        </div>
      </div>
    </header>
    <main id="main" ref=${main} tabindex="-1"><${CurrentPage} key=${path} path=${path} /></main>
    <footer class="site-foot">
      <p>
        Rates are percent a year, compounded. Money is USD. “–” is unknown, 0 is measured.
      </p>
      <ul class="site-foot-links">
        <li><a href="/docs">API</a></li>
        <li><a href="/graphql">GraphQL</a></li>
      </ul>
    </footer>
    <${LiveRegion} />
  ` as unknown as VNode;
}

function CurrentPage({ path }: { readonly path: string }): VNode {
  for (const { path: pattern, component } of PAGES) {
    const params = matchPath(pattern, path);
    if (params !== null) return html`<${component} params=${params} />`;
  }
  return html`<${NotFoundPage} />`;
}

/** `page` for the page itself, `true` for what lies below it; banks lie below the list of banks. */
function currentOf(target: string, path: string): 'page' | 'true' | undefined {
  if (target === path) return 'page';
  const below = target === '/' ? '/banks/' : `${target}/`;
  return path.startsWith(below) ? 'true' : undefined;
}
