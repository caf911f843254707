import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What to read behind the name of a suite that is skipped for want of a browser. */
export const CHROMIUM_NEEDS =
  'needs a Chromium: apt-get install chromium-headless-shell, or CHROMIUM_PATH=/path/to/chrome';

/** The first has no windows to draw, and takes half the processor time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPLICATIONS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Path of the system's Chromium or Chrome, null where there is none. CHROMIUM_PATH goes before what PATH has.
 * @throws when CHROMIUM_PATH names nothing that can be run: somebody meant it.
 */
export function findChromium(environment: Environment = process.env): string | null {
  const named = environment.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH is ${named}, which cannot be run; name a Chromium or unset it`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const installed = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...installed, ...MAC_APPLICATIONS].find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
