import { getAddressDecoder, getBase16Encoder, getBase64Encoder } from '@solana/kit';
import * as z from 'zod';
import { isSignedBy } from './recover-signer.ts';
import type { OracleSignature, SignedValues } from './signed-values.ts';

const MAX_ORACLES = 16;
const MAX_FEEDS = 32;
const MAX_COMPLAINT = 200;
const I128_MAX = (1n << 127n) - 1n;

const hex = (bytes: number) => z.string().regex(new RegExp(`^(0x)?[0-9a-fA-F]{${2 * bytes}}$`));
const complaints = z.array(z.string()).max(64).optional().default([]);

const oracleSchema = z.object({
  oracle_pubkey: hex(32),
  eth_address: hex(20),
  signature: z.string().max(100),
  checksum: z.string().max(100),
  recovery_id: z.int().min(0).max(3),
  errors: complaints,
});

const answerSchema = z.object({
  slot: z.int().min(1),
  median_responses: z
    .array(z.object({ feed_hash: hex(32), value: z.string().regex(/^\d{1,39}$/) }))
    .min(1)
    .max(MAX_FEEDS),
  oracle_responses: z.array(oracleSchema).max(MAX_ORACLES),
  failed_oracle_responses: z
    .array(z.object({ errors: complaints }))
    .max(MAX_ORACLES)
    .optional()
    .default([]),
});

type OracleAnswer = z.infer<typeof oracleSchema>;

/**
 * Reads what a gateway answered, and believes nothing that can be looked at: sizes, that the feeds were asked for, that values are worth
 * something, that all signed the same, and the signatures themselves.
 * @throws Error saying what is wrong with it.
 */
export function readGatewayAnswer(answer: unknown, asked: ReadonlySet<string>): SignedValues {
  const parsed = answerSchema.safeParse(answer);
  const { data } = parsed;
  if (data === undefined) throw new Error(describeIssue(parsed.error) ?? 'the gateway answered something else');
  const values = data.median_responses.map(({ feed_hash: feedHash, value }) => ({
    feedHash: bareHex(feedHash),
    value: BigInt(value),
  }));
  for (const { feedHash, value } of values) {
    if (!asked.has(feedHash)) throw new Error(`the gateway answered for the feed ${feedHash}, which was not asked for`);
    if (value === 0n || value > I128_MAX) throw new Error(`the gateway answered the value ${value} for ${feedHash}`);
  }
  if (new Set(values.map(({ feedHash }) => feedHash)).size < values.length) {
    throw new Error('the gateway answered twice for a feed');
  }
  const read = data.oracle_responses.map(readOracle);
  const [message] = read.flatMap((one) => ('message' in one ? [one.message] : []));
  const heard = data.failed_oracle_responses.flatMap(({ errors }) => errors);
  const signatures: OracleSignature[] = [];
  for (const one of read) {
    const complaint = 'message' in one ? judge(one, message, signatures) : one.complaint;
    if (complaint === null && 'message' in one) signatures.push(one.signed);
    else if (complaint !== null) heard.push(complaint);
  }
  const said = heard.map((complaint) => complaint.slice(0, MAX_COMPLAINT));
  return { slot: BigInt(data.slot), values, message: message ?? new Uint8Array(), signatures, complaints: said };
}

type ReadOracle = { readonly signed: OracleSignature; readonly message: Uint8Array } | { readonly complaint: string };

function readOracle(answer: OracleAnswer): ReadOracle {
  const oracle = getAddressDecoder().decode(bytesOfHex(answer.oracle_pubkey));
  const [error] = answer.errors;
  if (error !== undefined) return { complaint: error };
  const [signature, message] = [bytesOfBase64(answer.signature), bytesOfBase64(answer.checksum)];
  if (signature?.length !== 64 || message?.length !== 32) return { complaint: `oracle ${oracle} signed nothing` };
  const ethAddress = bytesOfHex(answer.eth_address);
  return { signed: { oracle, signature, recoveryId: answer.recovery_id, ethAddress }, message };
}

/** Null: the signature is right, and no other of this oracle's came before. */
function judge(
  { signed, message }: { readonly signed: OracleSignature; readonly message: Uint8Array },
  common: Uint8Array | undefined,
  before: readonly OracleSignature[],
): string | null {
  const { oracle } = signed;
  if (before.some((one) => one.oracle === oracle)) return `oracle ${oracle} signed twice`;
  if (common?.some((byte, index) => byte !== message[index])) return `oracle ${oracle} signed something else`;
  return isSignedBy(signed, message) ? null : `the signature of oracle ${oracle} is wrong`;
}

function bareHex(text: string): string {
  return text.replace(/^0x/, '').toLowerCase();
}

function bytesOfHex(text: string): Uint8Array {
  return Uint8Array.from(getBase16Encoder().encode(bareHex(text)));
}

function bytesOfBase64(text: string): Uint8Array | null {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Uint8Array.from(getBase64Encoder().encode(text)) : null;
}

function describeIssue(error: z.ZodError | undefined): string | undefined {
  const issue = error?.issues[0];
  return issue === undefined ? undefined : `the gateway's answer at ${issue.path.join('.')}: ${issue.message}`;
}
