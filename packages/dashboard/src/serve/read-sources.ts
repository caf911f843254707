import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { stripTypes } from './strip-types.ts';

/** A file that pages load, under a URL that changes with its content. */
export interface Asset {
  readonly url: string;
  readonly mediaType: string;
  readonly text: string;
}

export interface Sources {
  /** Loaded by `<script type="module">`; imports all the others. */
  readonly mainUrl: string;
  readonly styleUrl: string;
  readonly iconUrl: string;
  /** Bare specifiers of vendors' modules and where they are. */
  readonly imports: Readonly<Record<string, string>>;
  readonly assets: readonly Asset[];
}

/** Vendors' modules, as they stand in node_modules. */
const VENDOR_MODULES = {
  htm: 'htm/dist/htm.mjs',
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  uplot: 'uplot/dist/uPlot.esm.js',
} as const;

const VENDOR_STYLE = 'uplot/dist/uPlot.min.css';

/** What the other styles build on, in this order; those come after, by name. */
const FIRST_STYLES = ['tokens.css', 'base.css', 'parts.css'];

const BROWSER_FOLDER = join(import.meta.dirname, '../browser');
const SCRIPT = 'text/javascript; charset=utf-8';

/** Reads everything the pages are made of, types stripped. Own modules share one folder, so that their relative imports hold. */
export function readSources(): Sources {
  const modules = globSync('**/*.ts', { cwd: BROWSER_FOLDER })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()
    .map((path) => ({ path, text: stripTypes(readFileSync(join(BROWSER_FOLDER, path), 'utf8')) }));
  const folder = `/assets/app-${hashOf(modules.map(({ path, text }) => `${path}\n${text}`).join('\n'))}`;
  const own = modules.map(({ path, text }): Asset => ({ url: `${folder}/${path}`, mediaType: SCRIPT, text }));
  const vendors = Object.entries(VENDOR_MODULES).map(([specifier, path]) => {
    const text = withoutSourceMap(readFileSync(packageFile(path), 'utf8'));
    const name = specifier.replace('/', '-');
    return { specifier, asset: { url: `/assets/${name}-${hashOf(text)}.js`, mediaType: SCRIPT, text } satisfies Asset };
  });
  const style = [
    readFileSync(packageFile(VENDOR_STYLE), 'utf8'),
    ...styleNames().map((name) => readFileSync(join(BROWSER_FOLDER, 'styles', name), 'utf8')),
  ].join('\n');
  const styleUrl = `/assets/style-${hashOf(style)}.css`;
  const icon = readFileSync(join(BROWSER_FOLDER, 'icon.svg'), 'utf8');
  const iconUrl = `/assets/icon-${hashOf(icon)}.svg`;
  return {
    mainUrl: `${folder}/main.ts`,
    styleUrl,
    iconUrl,
    imports: Object.fromEntries(vendors.map(({ specifier, asset }) => [specifier, asset.url])),
    assets: [
      ...own,
      ...vendors.map(({ asset }) => asset),
      { url: styleUrl, mediaType: 'text/css; charset=utf-8', text: style },
      { url: iconUrl, mediaType: 'image/svg+xml', text: icon },
    ],
  };
}

function styleNames(): readonly string[] {
  const others = globSync('*.css', { cwd: join(BROWSER_FOLDER, 'styles') }).filter(
    (name) => !FIRST_STYLES.includes(name),
  );
  return [...FIRST_STYLES, ...others.toSorted()];
}

/** A file by its path below node_modules, wherever the package was installed: packages do not export these files by name. */
function packageFile(path: string): string {
  const [name = '', ...rest] = path.split('/');
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new TypeError(`the package ${name} is not installed`);
  return join(dirname(manifest), ...rest);
}

/** A map that is not served would be asked for by every open developer tool. */
function withoutSourceMap(text: string): string {
  return text.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
