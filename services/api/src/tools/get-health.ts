import { z } from 'zod';
import { valueAccount } from '#reads/account-value.ts';
import { knownAddress } from '#reads/address-of.ts';
import { findAccounts } from '#reads/find-accounts.ts';
import { describeHealth, describeRepairs, describeStress, liquidationPointsOf, ratioOf } from '#reads/health-record.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { type HealthReply, healthReplySchema } from '#records/health-fields.ts';
import type { NextAction } from '#records/reply-fields.ts';
import { dateAnswer, describeWarnings, measuresOf, momentOf, onlyAccount } from './account-answer.ts';
import { EXACT_ADDRESS_ALLOWED, exactAddress } from './address-input.ts';
import { inputField, numberOrText } from './input-field.ts';
import { invalid } from './parse-input.ts';
import { formatFor, responseFormatField, shortenFigures } from './response-format.ts';
import { type CallContext, defineTool, READ_ANNOTATIONS, type Tool } from './tool.ts';

const TARGET_ALLOWED = 'a health ratio above 1 and at most 100, such as 1.25';

const input = z.strictObject({
  account: inputField(exactAddress, 'The lending account', EXACT_ADDRESS_ALLOWED),
  authority: inputField(exactAddress, 'Or the wallet, where it owns one account only', EXACT_ADDRESS_ALLOWED),
  target_health_ratio: inputField(
    numberOrText(z.number().gt(1).max(100)),
    'Adds repair: what brings the account to this health_ratio, such as 1.25',
    TARGET_ALLOWED,
  ),
  response_format: responseFormatField,
});
type Input = z.infer<typeof input>;

/** The quick check of one account. */
export function createGetHealth(reads: ReadDeps): Tool {
  return defineTool({
    name: 'svc_get_health',
    title: 'Health',
    description:
      'How far one lending account is from liquidation: health_factor (1 no debt, 0 the line), health_ratio (1 the line), status, the ' +
      'weakest price, what falls of the market do to it, banks with stale prices and, with target_health_ratio, what repairs it. ' +
      'Cheaper than svc_get_positions. Pass account, or authority where the wallet owns one account.',
    annotations: READ_ANNOTATIONS,
    rest: { method: 'GET', path: '/v1/health/:account', alsoPath: '/v1/health' },
    errors: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_AMBIGUOUS'],
    input,
    output: healthReplySchema,
    async handle(query: Input, context: CallContext) {
      const address = askedAddress(query, context.callName);
      const snapshot = await reads.measures.get();
      const isNoWallet = knownAddress(address, snapshot.banks) !== null;
      const found = isNoWallet
        ? { accounts: [], closed: null, cover: { isComplete: true, reason: null, isFollowed: true, answer: null } }
        : await findAccounts(reads, address);
      const row = onlyAccount(found, address, snapshot.banks, context.callName);
      const asOf = await dateAnswer(reads, found.cover, [row], measuresOf([row], snapshot));
      const value = valueAccount(row, snapshot, momentOf(asOf));
      const target = query.target_health_ratio;
      const reply: HealthReply = {
        account: row.address,
        authority: row.authority,
        ...describeHealth(value, liquidationPointsOf(value)),
        stress: [...describeStress(value)],
        ...(target !== undefined && { repair: describeRepairs(value, ratioOf(String(target)))?.slice() ?? null }),
        next_actions: nextActions(row.address, value.health.status, target),
        as_of: asOf,
        warnings: [
          ...(found.cover.isFollowed ? [] : [notFollowed(found.cover.reason)]),
          ...describeWarnings(asOf, [value]),
        ],
      };
      return formatFor(context.door, query.response_format) === 'concise' ? shortenFigures(reply) : reply;
    },
  });
}

function askedAddress({ account, authority }: Input, callName: string): string {
  if (account !== undefined && authority !== undefined && account !== authority) {
    throw invalid('account and authority are both given', 'one of the two', callName, { field: 'authority' });
  }
  const address = account ?? authority;
  if (address === undefined) {
    throw invalid('account is missing', `${EXACT_ADDRESS_ALLOWED} as account, or as authority`, callName, {
      field: 'account',
    });
  }
  return address;
}

function notFollowed(reason: string | null) {
  return { level: 'warning' as const, code: 'NOT_FOLLOWED', message: `The account may have changed since: ${reason}.` };
}

function nextActions(account: string, status: string, target: number | undefined): NextAction[] {
  const isSafe = status === 'healthy' || status === 'moderate';
  return [
    ...(isSafe || target !== undefined
      ? []
      : [
          {
            tool: 'svc_get_health',
            why: 'What to repay or deposit to reach a safe ratio',
            args: { account, target_health_ratio: 1.25 },
          },
        ]),
    {
      tool: 'svc_get_positions',
      why: 'Each position, and what can be withdrawn or borrowed',
      args: { address: account },
    },
  ];
}
