/**
 * Signs an envelope with a local key and sends it: `node send.ts envelope.json`, or the envelope on standard input.
 * Settings: KEY_FILE (required), RPC_URL, BLOCK_ENGINE_URL (for envelopes that are bundles).
 */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { connectBlockEngine } from './src/block-engine-port.ts';
import { readConfig } from './src/config.ts';
import { parseEnvelope } from './src/envelope.ts';
import { readKeyFile } from './src/key-file.ts';
import { connectNode } from './src/node-port.ts';
import { sendEnvelope } from './src/send-envelope.ts';

const { keyFile, rpcUrl, blockEngineUrl } = readConfig();
const [, , path] = process.argv;
try {
  if (keyFile === undefined) throw new Error('KEY_FILE names no file: a JSON array of 32 or 64 bytes, mode 600');
  const wallet = await readKeyFile(keyFile);
  const envelope = parseEnvelope(
    JSON.parse(path === undefined ? await text(process.stdin) : await readFile(path, 'utf8')),
  );
  const signatures = await sendEnvelope(envelope, wallet, {
    node: connectNode(rpcUrl),
    engine: connectBlockEngine(blockEngineUrl),
    print: (line) => process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${signatures.join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
