import { stripTypeScriptTypes } from 'node:module';

/**
 * Makes a browser module out of a TypeScript one: types become blanks, lines and columns stay where they are.
 * @throws SyntaxError (ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX) for what is more than a type, such as an enum.
 */
export function stripTypes(source: string): string {
  const emitWarning = process.emitWarning;
  // Node is pinned and strips its own modules in the same way, so that it calls this experimental tells an operator nothing.
  process.emitWarning = ((warning: string | Error, ...rest: [never]) => {
    if (String(warning).includes('stripTypeScriptTypes')) return;
    emitWarning.call(process, warning, ...rest);
  }) as typeof emitWarning;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
