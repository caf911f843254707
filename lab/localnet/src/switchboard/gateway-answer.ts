import { getAddressBytes } from '@lending/programs';
import type { DemoFeedName } from '#market/feeds.ts';
import type { MarketLedger } from '#market/market-ledger.ts';
import { feedHashOf, findFeedByHash, hashJobs } from './demo-jobs.ts';
import { DEMO_ORACLES } from './demo-oracles.ts';
import { signPrices } from './sign-prices.ts';
import type { SwitchboardFault } from './switchboard-fault.ts';

export interface GatewayDeps {
  readonly ledger: Pick<MarketLedger, 'account'>;
  /** Raw × 10^18 USD. */
  readonly priceAt: (name: DemoFeedName, slot: bigint) => bigint;
}

/** What a gateway is asked: the jobs of each feed in base64, and how many oracles shall sign. */
export interface GatewayRequest {
  readonly feeds: readonly { readonly jobs: readonly Uint8Array[] }[];
  readonly oracleCount: number;
}

/** What a gateway answers, as the JSON that goes over the wire. A feed whose jobs nobody knows has no median. */
export function answerConsensus(deps: GatewayDeps, request: GatewayRequest, fault: SwitchboardFault | null): unknown {
  const names = request.feeds.flatMap(({ jobs }) => findFeedByHash(hexOf(hashJobs(jobs))) ?? []);
  const asked = DEMO_ORACLES.slice(0, request.oracleCount);
  const erring = fault?.kind === 'oracles_erring' ? fault.count : 0;
  const signed = signPrices(deps.ledger, {
    names,
    oracles: asked.slice(erring),
    priceAt: deps.priceAt,
    slotsBehind: fault?.kind === 'old_slot' ? fault.slots : 0,
  });
  const wrongKey = DEMO_ORACLES.at(-1);
  const oracleResponses = signed.signatures.map(({ oracle, ...right }, index) => {
    const isWrong = fault?.kind === 'wrong_signature' && index === 0 && wrongKey !== undefined;
    const { signature, recoveryId } = isWrong ? wrongKey.sign(signed.message) : right;
    return {
      ...nameOf(oracle),
      signature: base64Of(signature),
      checksum: base64Of(signed.message),
      recovery_id: recoveryId,
      feed_responses: [],
      errors: [],
    };
  });
  const failed = asked.slice(0, erring).map((oracle) => ({
    ...nameOf(oracle),
    signature: '',
    checksum: '',
    recovery_id: 0,
    feed_responses: [],
    errors: ['HttpTask: connection refused'],
  }));
  return {
    slot: Number(signed.slot),
    recent_hash: hexOf(signed.slotHash),
    median_responses: names.map((name, index) => ({
      feed_hash: fault?.kind === 'other_feed' ? '00'.repeat(32) : hexOf(feedHashOf(name)),
      value: String(signed.values[index]),
      num_successful_responses: oracleResponses.length,
      min_oracle_samples: 1,
    })),
    oracle_responses: oracleResponses,
    failed_oracle_responses: failed,
  };
}

function nameOf({ address, ethAddress }: (typeof DEMO_ORACLES)[number]) {
  const key = hexOf(getAddressBytes(address));
  return {
    oracle_pubkey: key,
    eth_address: hexOf(ethAddress),
    ed25519_enclave_signer: key,
    oracle_idx: DEMO_ORACLES.findIndex((oracle) => oracle.address === address),
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
