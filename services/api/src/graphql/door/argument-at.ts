import { type GraphQLError, parse, visit } from 'graphql';

/** The name of the argument, or of the field of an input, in which an error lies; undefined outside of any. */
export function argumentAt({ source, positions }: GraphQLError): string | undefined {
  const [position] = positions ?? [];
  if (source === undefined || position === undefined) return undefined;
  let found: string | undefined;
  const enter = ({ name, loc }: Named) => {
    if (loc !== undefined && loc.start <= position && position <= loc.end) found = name.value;
  };
  try {
    visit(parse(source), { Argument: { enter }, ObjectField: { enter } });
  } catch {
    // What cannot be parsed has no arguments.
  }
  return found;
}

interface Named {
  readonly name: { readonly value: string };
  readonly loc?: { readonly start: number; readonly end: number };
}
