/**
 * A lending account's whole life on the local chain, with the index showing each step. `npm start` first; see README.md.
 * Settings: SERVICE_URL, RPC_URL; KEY_FILE for a wallet of your own that has 6 SOL and some USDC on that chain.
 */
import { readConfig } from './src/config.ts';
import { readKeyFile } from './src/key-file.ts';
import { connectService } from './src/service.ts';
import { tellStory } from './src/story.ts';
import { askOverRest } from './src/story-service.ts';

const config = readConfig();
try {
  const wallet = config.keyFile === undefined ? null : await readKeyFile(config.keyFile);
  const service = askOverRest(connectService(config.serviceUrl));
  await tellStory({ service, config, wallet, print: (line) => process.stdout.write(`${line}\n`) });
  process.stdout.write(
    'Done: created, deposited, borrowed, repaid, withdrawn, looped, closed; nothing is left in the account.\n',
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
