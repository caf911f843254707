import { z } from 'zod';
import type { BuilderDeps } from './builder-deps.ts';
import { EXAMPLE_WALLET } from './builder-examples.ts';
import { authorityField, builderOptions } from './builder-input.ts';
import { actionRequest } from './builder-request.ts';
import { defineBuilder } from './builder-tool.ts';
import type { Tool } from './tool.ts';

const input = z.strictObject({ authority: authorityField, ...builderOptions });

/** One more lending account, at the wallet's lowest free address. */
export function createCreateAccount(deps: BuilderDeps): Tool {
  return defineBuilder(deps, {
    kind: 'create_account',
    title: 'Create account',
    does: 'Opens another lending account for the wallet. svc_deposit opens the first one by itself.',
    input,
    errors: [],
    examples: [{ authority: EXAMPLE_WALLET }],
    requestOf: (given) => actionRequest('create_account', given, null),
  });
}
