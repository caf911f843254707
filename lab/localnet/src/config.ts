import { BUILT_VERSIONS, NEWEST_VERSION } from '@lending/programs';
import {
  durationMsSetting,
  integerSetting,
  oneOfSetting,
  portSetting,
  processSettings,
  textSetting,
} from '@lending/runtime';

/** Settings of the local chain, in a process of its own or inside another. */
export const localnetSettings = {
  LOCALNET_PORT: portSetting({ description: 'Port of the local chain, for JSON-RPC and PubSub alike', default: 8899 }),
  LOCALNET_SLOT_MS: durationMsSetting({
    description: 'How long a slot of the local chain lasts',
    default: 400,
    min: 5,
  }),
  LOCALNET_TRANSACTIONS_PER_SECOND: integerSetting({
    description: 'How many transactions a second the borrowers, loopers and lenders of the demo market send',
    default: 2,
    min: 0,
    max: 200,
  }),
  LOCALNET_PROGRAM_VERSION: oneOfSetting(BUILT_VERSIONS, {
    description: 'Version of the lending program that the local chain begins with',
    default: NEWEST_VERSION,
  }),
  LOCALNET_GENESIS: textSetting({
    description: 'Accounts to start from instead of the demo market: a folder of account dumps, or a manifest of them',
    allowed: 'a path',
    optional: true,
  }),
  LOCALNET_ELF_FOLDER: textSetting({
    description:
      'Folder of program code (<program id>.so, from solana program dump; or a known name such as marginfi.so): the local chain then runs ' +
      'the real programs in LiteSVM instead of its own model',
    allowed: 'a path',
    optional: true,
  }),
  FIXTURES_DIR: textSetting({
    description: 'Folder that a genesis manifest takes its account dumps from',
    allowed: 'a path',
    default: '../shared/fixtures',
  }),
} as const;

/** What it needs on top as a process of its own. */
export const localnetProcessSettings = {
  ...processSettings,
  ...localnetSettings,
  LOCALNET_DIR: textSetting({
    description: 'Folder the local chain is stored in, so that it continues after a restart',
    allowed: 'a path',
    optional: true,
  }),
} as const;
