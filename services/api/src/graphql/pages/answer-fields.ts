import { type GraphQLFieldConfig, GraphQLList, GraphQLNonNull } from 'graphql';
import type { z } from 'zod';
import { type AsOf, asOfSchema, type Warning, warningSchema } from '#records/reply-fields.ts';
import type { GraphqlContext } from '../context.ts';
import type { RecordTypes } from '../schema/record-types.ts';

/** What a list says of itself beside its rows, as at the other doors. */
export interface AboutAnswer<C> {
  readonly asOf: AsOf;
  readonly coverage: C;
  readonly warnings: readonly Warning[];
}

type AnswerField = GraphQLFieldConfig<AboutAnswer<unknown>, GraphqlContext>;

/** The fields of it, with the coverage that this kind of list has. */
export function answerFields(
  types: RecordTypes,
  coverageName: string,
  coverage: z.ZodObject,
): Readonly<Record<'asOf' | 'coverage' | 'warnings', AnswerField>> {
  return {
    asOf: { type: new GraphQLNonNull(types.object('AsOf', asOfSchema)), description: 'Of the oldest in the page' },
    coverage: {
      type: new GraphQLNonNull(types.object(coverageName, coverage)),
      description: 'What the list holds, and what it had to leave out',
    },
    warnings: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(types.object('Warning', warningSchema)))),
      description: 'What to know before using the answer',
    },
  };
}
