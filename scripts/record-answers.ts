import { setTimeout } from 'node:timers/promises';

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Examples } };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface Examples {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Answers = Record<string, Record<string, unknown>>;

/**
 * Asks a demo market what the description's own examples ask, and keeps the answers, lists cut to their first entry. All of it is asked with
 * a token, so that there is a conversation to ask about.
 */
export async function recordAnswers(baseUrl: string, token: string, { paths }: Description): Promise<Answers> {
  const answers: Answers = {};
  const facts: Record<string, unknown> = {};
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation.operationId.endsWith('_by_query')) continue;
      for (const type of Object.keys(goodOf(operation).content ?? {})) {
        if (type === 'text/event-stream') continue;
        const url = baseUrl + pathOf(path, operation, facts) + (type === 'text/csv' ? '?format=csv' : '');
        const answer = await ask(url, { method, type, token, body: bodyOf(operation, facts) });
        learn(answer, facts);
        answers[operation.operationId] = { ...answers[operation.operationId], [type]: shortened(answer) };
      }
    }
  }
  return answers;
}

/** What it answers when all is well; what leaves no body, such as a deletion, has nothing to show. */
function goodOf({ responses }: Operation): Operation['responses'][string] {
  return responses[200] ?? responses[201] ?? {};
}

function pathOf(path: string, { parameters = [] }: Operation, facts: Readonly<Record<string, unknown>>): string {
  const needed = parameters.flatMap((each) => (each.in === 'query' && each.required === true ? [each.name ?? ''] : []));
  const query = needed.map((name) => `${name}=${facts[name]}`).join('&');
  const named = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const example = parameters.find((each) => each.name === name && each.in === 'path')?.example;
    return String(example ?? facts[name]);
  });
  return query === '' ? named : `${named}?${query}`;
}

function bodyOf({ requestBody }: Operation, facts: Readonly<Record<string, unknown>>): object | undefined {
  if (requestBody === undefined) return undefined;
  const { example, examples = {} } = requestBody.content['application/json'];
  const body: object | undefined = example ?? Object.values(examples)[0]?.value;
  // A plan of an example is long gone.
  return body !== undefined && 'plan_id' in body ? { ...body, plan_id: facts.plan_id } : body;
}

/** Borrowers of the demo market come and go: who owes nothing now owes something in a while. */
const ATTEMPTS = 60;
const PAUSE_MS = 5_000;

interface Question {
  readonly method: string;
  readonly type: string;
  readonly token: string;
  readonly body: object | undefined;
}

async function ask(url: string, { method, type, token, body }: Question): Promise<unknown> {
  const authorization = `Bearer ${token}`;
  const sent =
    body === undefined
      ? { headers: { authorization } }
      : { body: JSON.stringify(body), headers: { authorization, 'content-type': 'application/json' } };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, { method: method.toUpperCase(), ...sent });
    const text = await response.text();
    if (response.ok) return type === 'text/csv' ? `${text.split(/\r?\n/).slice(0, 2).join('\n')}\n` : JSON.parse(text);
    if (response.status !== 422 || attempt === ATTEMPTS) throw new Error(`${url} answers ${response.status}: ${text}`);
    await setTimeout(PAUSE_MS);
  }
}

/** What later questions are about: a transaction that landed, a plan, a conversation. */
function learn(answer: unknown, facts: Record<string, unknown>): void {
  if (typeof answer !== 'object' || answer === null) return;
  const { activity, plan_id: planId, data } = answer as Partial<Learnt>;
  if (activity?.[0] !== undefined) facts.signature = activity[0].signature;
  if (planId !== undefined) facts.plan_id ??= planId;
  if (data?.[0]?.id !== undefined) facts.id ??= data[0].id;
}

interface Learnt {
  readonly activity: readonly { readonly signature: string }[];
  readonly plan_id: string;
  readonly data: readonly { readonly id?: string }[];
}

const MOST_CHARACTERS = 2_000;

/** A list is shown by its first entry, a long text by its beginning, a table by its first row. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MOST_CHARACTERS) return `${value.slice(0, MOST_CHARACTERS)}…`;
  if (Array.isArray(value)) return value.slice(0, 1).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
