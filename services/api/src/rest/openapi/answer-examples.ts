import recorded from './answer-examples.json' with { type: 'json' };

const EXAMPLES = recorded as Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * What an operation answered on the demo market, lists cut to their first row, as `npm run schema:openapi -- --record URL TOKEN` writes them. A test
 * compares them with the schemas of answers.
 */
export function answerExample(operationId: string, mediaType: string): unknown {
  return EXAMPLES[operationId.replace(/_by_query$/, '')]?.[mediaType];
}
