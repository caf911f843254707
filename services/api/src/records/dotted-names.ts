import type { z } from 'zod';

/** The names of an object's fields as `fields` takes them: `rates.utilization_pct`. */
export function dottedNames(name: string, schema: z.ZodObject): string[] {
  return Object.keys(schema.shape).map((key) => `${name}.${key}`);
}
