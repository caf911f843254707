import { accountMethods } from './methods/account-methods.ts';
import { blockMethods } from './methods/block-methods.ts';
import { bundleMethods } from './methods/bundle-methods.ts';
import { historyMethods } from './methods/history-methods.ts';
import { sendMethods } from './methods/send-methods.ts';
import { simulationMethods } from './methods/simulation-methods.ts';
import { slotMethods } from './methods/slot-methods.ts';
import { tokenMethods } from './methods/token-methods.ts';
import type { RpcMethods } from './rpc-method.ts';

/** Every method the node answers. */
export const METHODS: RpcMethods = {
  ...accountMethods,
  ...blockMethods,
  ...bundleMethods,
  ...historyMethods,
  ...sendMethods,
  ...simulationMethods,
  ...slotMethods,
  ...tokenMethods,
};
