import compress from '@fastify/compress';
import fastify from 'fastify';

/**
 * Fastify as its guide has it, sending bytes from memory: those that the URL in the arguments answers, fetched once. The yardstick of
 * `get-banks.ts`. `/text` sends them as one string, `/buffer` as one buffer, `/same-headers` as a buffer with all headers that we send,
 * `/compressed` as a string through Fastify's own compression, `/not-modified` nothing, as 304. Prints its address. Ends with its parent.
 */
const [url = ''] = process.argv.slice(2);
const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
const buffer = Buffer.from(await answer.arrayBuffer());
const text = buffer.toString('utf8');
const type = answer.headers.get('content-type') ?? 'application/json; charset=utf-8';
/** What the server writes itself. */
const OWN = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));
const etag = answer.headers.get('etag') ?? '"memory"';

const app = fastify();
await app.register(compress, { global: false });
app.get('/text', (_request, reply) => reply.type(type).send(text));
app.get('/buffer', (_request, reply) => reply.type(type).send(buffer));
app.get('/same-headers', (_request, reply) => reply.headers(headers).send(buffer));
app.get('/compressed', { compress: { threshold: 1_024 } }, (_request, reply) => reply.type(type).send(text));
app.get('/not-modified', (_request, reply) => reply.code(304).header('etag', etag).send());
process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit(0));
