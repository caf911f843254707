import { builderChecks } from './builders/builder-checks.ts';
import { activity, health, wallets } from './checks/accounts.ts';
import { banks } from './checks/banks.ts';
import { candidates } from './checks/candidates.ts';
import type { Check } from './checks/check.ts';
import { conversations } from './checks/conversations.ts';
import { docs } from './checks/docs.ts';
import { everyOperation } from './checks/every-operation.ts';
import { graphql } from './checks/graphql.ts';
import { simulateAgain, verify, verifyPlan } from './checks/landing.ts';
import { everyTool, mcp } from './checks/mcp.ts';
import { noErrors } from './checks/no-errors.ts';
import { nothingSent } from './checks/nothing-sent.ts';
import { eachBank, reserves } from './checks/pools.ts';
import { prices } from './checks/prices.ts';
import { status } from './checks/status.ts';
import { strategies } from './checks/strategies.ts';
import { stream } from './checks/stream.ts';
import { vaults } from './checks/vaults.ts';

/** In this order: what one finds the next ones need, and the last ones look back at all. */
export const ALL_CHECKS: readonly Check[] = [
  ...[status, banks, eachBank, reserves, strategies, vaults, prices, docs],
  ...[candidates, wallets, health, activity],
  ...builderChecks,
  ...[simulateAgain, verifyPlan, verify, conversations, stream, graphql, mcp],
  ...[everyTool, everyOperation, noErrors, nothingSent],
];
