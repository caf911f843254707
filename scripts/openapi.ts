import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printOpenApi } from '@lending/api';
import packageJson from '../package.json' with { type: 'json' };
import { recordAnswers } from './record-answers.ts';

/**
 * Writes `openapi.json` from the definitions themselves; a test compares it. With `--record`, the URL of a demo market and a
 * token of it, it asks that for the answers that are shown as examples, instead.
 */
const file = (name: string) => fileURLToPath(new URL(`../services/api/${name}`, import.meta.url));
const at = process.argv.indexOf('--record');
const [baseUrl, token] = at === -1 ? [] : process.argv.slice(at + 1);
const text = await printOpenApi(packageJson.version);
if (baseUrl !== undefined && token !== undefined) {
  const answers = await recordAnswers(baseUrl, token, JSON.parse(text));
  writeFileSync(file('src/rest/openapi/answer-examples.json'), `${JSON.stringify(answers, null, 2)}\n`);
  console.log('The answers are recorded. Run it again without --record to show them.');
} else {
  writeFileSync(file('openapi.json'), text);
}
