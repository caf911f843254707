import { Ajv2020 } from 'ajv/dist/2020.js';
import type { McpCaller } from './mcp-callers.ts';

/** What an answer says to do next: a call of a tool, or a step of the wallet. */
export type NextAction =
  | { readonly tool: string; readonly why: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly step: string; readonly why: string; readonly args: Readonly<Record<string, unknown>> };

/** Those that docs/guide/answers.md lists. */
const STEPS = new Set(['sign', 'submit']);

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** @throws Error where a tool does not exist or does not take the arguments, and where a step is none of the list. */
export function expectPossible({ inputSchemas }: Pick<McpCaller, 'inputSchemas'>, action: NextAction): void {
  if ('step' in action) {
    if (!STEPS.has(action.step)) throw new Error(`${action.step} is no step`);
    return;
  }
  const schema = inputSchemas.get(action.tool);
  if (schema === undefined) throw new Error(`${action.tool} is no tool`);
  if (!ajv.validate(schema, action.args)) throw new Error(`${JSON.stringify(action)}: ${ajv.errorsText()}`);
}
