import { getBank } from './get-bank.ts';
import { getBankHistory } from './get-bank-history.ts';
import { getBanks } from './get-banks.ts';
import { getStatus } from './get-status.ts';
import type { Operation, Tool } from './tool.ts';

/** What agents get, and REST with them. */
export const TOOLS: readonly Tool[] = [getBanks];

/** Everything REST serves: the tools, and what only REST has. */
export const OPERATIONS: readonly Operation[] = [...TOOLS, getBank, getBankHistory, getStatus];
