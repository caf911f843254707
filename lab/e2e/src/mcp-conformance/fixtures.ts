import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { StartApiOptions } from '@lending/api';
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  fromJsonSchema,
  type GetPromptResult,
  type InputRequests,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** A red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** A sound of no length. */
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** What a tool that asks back hands out and gets back, signed: whoever carries it may change it. */
interface AskedSoFar {
  readonly round: number;
}

/** One key for a whole run: every request is answered by a server of its own. */
const requestState = createRequestStateCodec<AskedSoFar>({ key: randomBytes(32) });

/**
 * What the conformance suite calls by names of its own, beside the service's tools.
 * @see modelcontextprotocol/conformance examples/servers/typescript/everything-server.ts
 */
export const FIXTURES: NonNullable<StartApiOptions['mcpExtension']> = {
  options: { requestState: { verify: requestState.verify } },
  addTo(server) {
    addContentTools(server);
    addStreamTools(server);
    addSchemaTools(server);
    addInputTools(server);
    addResources(server);
    addPrompts(server);
  },
};

const TEXT_CONTENT: CallToolResult['content'][number] = {
  type: 'text',
  text: 'This is a simple text response for testing.',
};
const IMAGE: CallToolResult['content'][number] = { type: 'image', data: PNG, mimeType: 'image/png' };
const AUDIO: CallToolResult['content'][number] = { type: 'audio', data: WAV, mimeType: 'audio/wav' };
const RESOURCE: CallToolResult['content'][number] = {
  type: 'resource',
  resource: {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  },
};

/** Every kind of content that a tool's result may have. */
const ANSWERS: Readonly<Record<string, CallToolResult['content']>> = {
  test_simple_text: [TEXT_CONTENT],
  test_image_content: [IMAGE],
  test_audio_content: [AUDIO],
  test_embedded_resource: [RESOURCE],
  test_multiple_content_types: [TEXT_CONTENT, IMAGE, RESOURCE],
  test_streaming_elicitation: [TEXT_CONTENT],
};

/** Adds the tools that answer at once, and the one that fails. */
function addContentTools(server: McpServer): void {
  for (const [name, content] of Object.entries(ANSWERS))
    server.registerTool(name, { description: 'Answers the same to everybody' }, () => ({ content }));
  server.registerTool('test_error_handling', { description: 'Fails' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

const PAUSE_MS = 50;

/** Adds the tools that tell something before they answer. */
function addStreamTools(server: McpServer): void {
  server.registerTool('test_tool_with_progress', { description: 'Tells how far it has come' }, async ({ mcpReq }) => {
    const token = mcpReq._meta?.progressToken;
    for (const progress of token === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: token as string, progress, total: 100, message: `Completed ${progress} of 100` };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await pause(PAUSE_MS);
    }
    return done;
  });
  server.registerTool('test_logging_tool', { description: 'Tells whoever asked to be told' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'only where the request set a level');
    return done;
  });
}

const done: CallToolResult = { content: [{ type: 'text', text: 'done' }] };

/** Words of JSON Schema 2020-12 that a conversion might lose. */
const NEWEST_WORDS = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, never awaited
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const;

/** An argument that clients of 2026-07-28 say in a header too. */
const SAID_IN_HEADER = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
} as const;

/** Adds the tools whose input schema is what is looked at. */
function addSchemaTools(server: McpServer): void {
  for (const [name, schema] of [
    ['json_schema_2020_12_tool', NEWEST_WORDS],
    ['test_x_mcp_header', SAID_IN_HEADER],
  ] as const)
    server.registerTool(
      name,
      { description: 'Answers its arguments', inputSchema: fromJsonSchema(schema) },
      (given): CallToolResult => ({ content: [{ type: 'text', text: JSON.stringify(given) }] }),
    );
}

const STRING = { type: 'string' } as const;
const PREFIX = 'test_input_required_result';

const ASK_SAMPLE = inputRequired.createMessage({
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
});
const ASK_NAME = ask('name', STRING);
const ASK_CONFIRMATION = ask('ok', { type: 'boolean' });

/** Adds the tools that ask their caller something before they answer, in the way of 2026-07-28, and a prompt that does. */
function addInputTools(server: McpServer): void {
  const add = (name: string, answer: (context: ServerContext) => Promise<Answer>) =>
    server.registerTool(name, { description: 'Asks back' }, answer);
  add(`${PREFIX}_elicitation`, async (context) => {
    const name = textOf(context, 'user_name', 'name');
    return name === undefined ? inputRequired({ inputRequests: { user_name: ASK_NAME } }) : say(`Hello, ${name}!`);
  });
  add(`${PREFIX}_sampling`, (context) => askOnce(context, { capital_question: ASK_SAMPLE }));
  add(`${PREFIX}_list_roots`, (context) => askOnce(context, { client_roots: inputRequired.listRoots() }));
  add('test_missing_capability', (context) => askOnce(context, { llm_answer: ASK_SAMPLE }));
  add(`${PREFIX}_request_state`, (context) => askWithState(context, { confirm: ASK_CONFIRMATION }));
  add(`${PREFIX}_tampered_state`, (context) => askWithState(context, { confirm: ASK_CONFIRMATION }));
  add(`${PREFIX}_multiple_inputs`, (context) =>
    askWithState(context, { user_name: ASK_NAME, greeting: ASK_SAMPLE, client_roots: inputRequired.listRoots() }),
  );
  add(`${PREFIX}_multi_round`, async (context) => {
    const round = context.mcpReq.requestState<AskedSoFar>()?.round ?? 0;
    if (round === 0) return askInRound(1, { step1: ASK_NAME });
    if (round === 1) return askInRound(2, { step2: ask('color', STRING) });
    return say('Both are known');
  });
  add(`${PREFIX}_capabilities`, (context) => askOnce(context, whatCallerTakes(context)));
  server.registerPrompt(`${PREFIX}_prompt`, { description: 'Asks back' }, async (context) => {
    // Without a schema of arguments the context comes first, which the library's type does not know.
    const known = textOf(context as ServerContext, 'user_context', 'context');
    if (known === undefined) return inputRequired({ inputRequests: { user_context: ask('context', STRING) } });
    return { messages: [{ role: 'user', content: { type: 'text', text: `Use this context: ${known}` } }] };
  });
}

type Answer = ReturnType<typeof say> | ReturnType<typeof inputRequired>;

function say(text: string) {
  return { content: [{ type: 'text' as const, text }] };
}

function ask(field: string, kind: { readonly type: 'string' } | { readonly type: 'boolean' }) {
  const requestedSchema = { type: 'object' as const, properties: { [field]: kind }, required: [field] };
  return inputRequired.elicit({ message: `What is the ${field}?`, requestedSchema });
}

function textOf({ mcpReq }: ServerContext, request: string, field: string): string | undefined {
  const value = acceptedContent<Record<string, unknown>>(mcpReq.inputResponses, request)?.[field];
  return typeof value === 'string' ? value : undefined;
}

async function askOnce({ mcpReq }: ServerContext, inputRequests: InputRequests): Promise<Answer> {
  const { inputResponses } = mcpReq;
  const asked = Object.keys(inputRequests);
  const isAnswered = inputResponses !== undefined && asked.every((key) => inputResponses[key] !== undefined);
  return isAnswered ? say(JSON.stringify(inputResponses)) : inputRequired({ inputRequests });
}

/** The state that comes back was checked before: the library refuses one that it did not sign. */
async function askWithState(context: ServerContext, inputRequests: InputRequests): Promise<Answer> {
  const isKnown = context.mcpReq.requestState() !== undefined;
  const answer = isKnown ? await askOnce(context, inputRequests) : undefined;
  if (answer === undefined || !('content' in answer)) return askInRound(1, inputRequests);
  return say('state-ok');
}

async function askInRound(round: number, inputRequests: InputRequests): Promise<Answer> {
  return inputRequired({ inputRequests, requestState: await requestState.mint({ round }) });
}

function whatCallerTakes({ mcpReq }: ServerContext): InputRequests {
  // The envelope's type has no room for the names of the revision's own fields.
  const envelope = mcpReq.envelope as Readonly<Record<string, ClientCapabilities | undefined>> | undefined;
  const takes = envelope?.[CLIENT_CAPABILITIES_META_KEY];
  return {
    ...(takes?.elicitation !== undefined && { user_name: ASK_NAME }),
    ...(takes?.sampling !== undefined && { greeting: ASK_SAMPLE }),
    ...(takes?.roots !== undefined && { client_roots: inputRequired.listRoots() }),
  };
}

const TEXT_URI = 'test://static-text';
const BINARY_URI = 'test://static-binary';

/** Adds a text, bytes, and a template. */
function addResources(server: McpServer): void {
  server.registerResource('static-text', TEXT_URI, { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: TEXT_URI, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', BINARY_URI, { mimeType: 'image/png' }, () => ({
    contents: [{ uri: BINARY_URI, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
}

type PromptContent = GetPromptResult['messages'][number]['content'];

/** Adds one prompt for each kind of content, and those that take arguments. */
function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Takes nothing' }, () =>
    prompt(text('This is a simple prompt for testing.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture' }, () =>
    prompt({ type: 'image', data: PNG, mimeType: 'image/png' }, text('Please analyze the image above.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Takes two', argsSchema: textsNamed('arg1', 'arg2') },
    ({ arg1, arg2 }) => prompt(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Takes one', argsSchema: textsNamed('resourceUri') },
    ({ resourceUri = '' }) =>
      prompt(
        {
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        },
        text('Please process the embedded resource above.'),
      ),
  );
}

function prompt(...contents: readonly PromptContent[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}

function text(words: string): PromptContent {
  return { type: 'text', text: words };
}

function textsNamed(...names: readonly string[]) {
  return fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: [...names],
  });
}
