import { createHash } from 'node:crypto';
import type { Sources } from './read-sources.ts';

/**
 * Applies the chosen theme before the first paint: a module runs after it, and the page would flash.
 * The key and its words are those of `browser/theme/theme.ts`.
 */
const THEME_SCRIPT = `try{const t=localStorage.getItem('theme');if(t==='light'||t==='dark')document.documentElement.dataset.theme=t}catch{}`;

/** The page and the policy it is served under: both name what is inline. */
export interface IndexHtml {
  readonly text: string;
  readonly contentSecurityPolicy: string;
}

/** Every page is this one. All modules are preloaded, so that loading is one round trip deep however they import each other. */
export function renderIndexHtml(sources: Sources): IndexHtml {
  const importMap = JSON.stringify({ imports: sources.imports });
  const preloads = sources.assets
    .filter(({ mediaType }) => mediaType.startsWith('text/javascript'))
    .map(({ url }) => `<link rel="modulepreload" href="${url}">`);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Lending</title>
<script>${THEME_SCRIPT}</script>
<link rel="icon" href="${sources.iconUrl}" type="image/svg+xml">
<link rel="stylesheet" href="${sources.styleUrl}">
<script type="importmap">${importMap}</script>
${preloads.join('\n')}
<script type="module" src="${sources.mainUrl}"></script>
</head>
<body>
<div id="app"></div>
<noscript>These pages need JavaScript. The same data is at <a href="/docs">/docs</a>.</noscript>
</body>
</html>
`;
  return { text, contentSecurityPolicy: policyOf([THEME_SCRIPT, importMap]) };
}

/** Nothing but our own files, and of what is inline only these scripts. No string becomes markup: trusted types are required and none exist. */
function policyOf(inlineScripts: readonly string[]): string {
  const hashes = inlineScripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
