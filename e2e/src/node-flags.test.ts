import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_ENV, NODE_FLAGS, ROOT } from '@lending/testing';
import { expect, it } from 'vitest';

it('the image runs Node as the launcher does', () => {
  const dockerfile = readFileSync(join(ROOT, 'infra', 'docker', 'Dockerfile'), 'utf8');
  const entryPoint = /^ENTRYPOINT (.*)$/m.exec(dockerfile)?.[1] ?? '';
  expect(JSON.parse(entryPoint)).toEqual(['node', ...NODE_FLAGS]);
  const [, ofApi = ''] = /^FROM runtime AS api$([\s\S]*?)^FROM /m.exec(dockerfile) ?? [];
  expect(ofApi).toMatch(new RegExp(`^ENV .*\\b${API_ENV}$`, 'm'));
});
