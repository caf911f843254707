import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { ROOT } from './app-process.ts';

/** What scenarios start. */
const PROGRAMS = [
  'embedded/src/main.ts',
  'embedded/src/token.ts',
  'services/api/src/main.ts',
  'services/indexer/src/jobs/create-topics.ts',
  'services/indexer/src/jobs/migrate.ts',
  'services/indexer/src/main.ts',
  'services/rate-poller/src/main.ts',
];
/** They load machine code from beside themselves. */
const LEFT_OUT = [/^litesvm/, /^@triton-one\//];

/**
 * Makes few files of each program, in `folder`, under the program's path. Loading its 3,500 modules one by one takes two fifths of the
 * processor time until it is up, and a run of the tests starts dozens of them.
 */
export async function bundlePrograms(folder: string): Promise<void> {
  await build({
    cwd: ROOT,
    input: Object.fromEntries(PROGRAMS.map((entry) => [entry.replace(/\.ts$/, ''), join(ROOT, entry)])),
    platform: 'node',
    external: LEFT_OUT,
    plugins: [KEEP_PLACES],
    output: {
      dir: folder,
      cleanDir: true,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name]-[hash].mjs',
    },
    logLevel: 'warn',
  });
}

/** A module finds what lies beside it, migrations and programs of workers, where it was. */
const KEEP_PLACES: Plugin = {
  name: 'keep-places',
  transform: {
    filter: { code: /\bimport\.meta\.(dirname|filename|url)\b|\b__(dirname|filename)\b/ },
    handler(code, file) {
      const places: Readonly<Record<string, string>> = {
        'import.meta.dirname': dirname(file),
        'import.meta.filename': file,
        'import.meta.url': pathToFileURL(file).href,
        ...(!/\b(const|let|var) __(dirname|filename)\b/.test(code) && { __dirname: dirname(file), __filename: file }),
      };
      return Object.entries(places).reduce(
        (text, [name, place]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), () => JSON.stringify(place)),
        code,
      );
    },
  },
};
