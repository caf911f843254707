import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A page of the guide, taken apart by tests that hold it to what the service does. */
export interface GuidePage {
  /** Names in backticks in the first cells of a section's tables. */
  namesUnder(heading: string): string[];
  /** Calls that the page shows. */
  readonly examples: readonly { readonly path: string; readonly body: string }[];
}

export function readGuidePage(name: string): GuidePage {
  const page = readFileSync(new URL(`../../../../docs/guide/${name}.md`, import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```json POST (\S+)\n([\s\S]*?)^```$/gm)];
  return {
    namesUnder(heading) {
      const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
      const rows = section.split('\n').filter((line) => line.startsWith('| `'));
      return rows.flatMap((row) =>
        [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, found]) => found ?? ''),
      );
    },
    examples: examples.map(([, path = '', body = '']) => ({ path, body })),
  };
}

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

/** Every field of a schema that has none inside, with the way to it. */
export function fieldsOf(schema: z.ZodType): string[] {
  return leavesOf(z.toJSONSchema(schema) as Shape, '');
}

function leavesOf(shape: Shape, path: string): string[] {
  const forms = formsOf(shape);
  if (forms.length > 0) {
    const fields = forms.flatMap(({ properties = {} }) => Object.entries(properties));
    return fields.flatMap(([name, field]) => leavesOf(field, path === '' ? name : `${path}.${name}`));
  }
  const { items } = shape;
  return items === undefined || formsOf(items).length === 0 ? [path] : leavesOf(items, `${path}[]`);
}

/** The objects that it may be. */
function formsOf(shape: Shape): readonly Shape[] {
  return [shape, ...(shape.anyOf ?? [])].filter(({ properties }) => properties !== undefined);
}
