import { EnvelopeError } from './errors.js';

/**
 * What a builder answers: unsigned transactions, in order, and how they are to be sent. It holds no key and asks for none; `handOver` gives
 * them to functions of yours that sign and send.
 */
export class Envelope {
  /** @type {import('../types/wire.d.ts').Operations['svc_loop']['answer']} The whole answer, under the names of the wire. */
  reply;
  #expiresAtMs;

  /**
   * @param {unknown} reply What a builder answered, as JSON.
   * @throws {EnvelopeError} `malformed`, naming the field.
   */
  constructor(reply) {
    assertEnvelope(reply);
    this.reply = reply;
    // Not the wall clock, which may be set.
    this.#expiresAtMs = performance.now() + reply.blockhash.expires_in_seconds * 1000;
  }

  /** The lending account it is about, also before it exists. */
  get account() {
    return this.reply.account;
  }

  /** Unsigned, in the order they are sent: `{base64, type, label, …}`. */
  get transactions() {
    return this.reply.transactions;
  }

  /** The one of them that does what was asked. */
  get action() {
    return this.reply.transactions[this.reply.action_tx_index];
  }

  /** `sequential`: one after the other, each confirmed; `bundle`: all at once, all or none. */
  get submit() {
    return this.reply.submit;
  }

  /** One sentence to show before anybody signs. */
  get summary() {
    return this.reply.summary;
  }

  /** Names the envelope for `simulate` and `verify`. */
  get planId() {
    return this.reply.plan_id;
  }

  /** The account after the action, as simulated. */
  get postHealth() {
    return this.reply.simulation.post_health;
  }

  /** What to know before signing. */
  get warnings() {
    return this.reply.simulation.warnings;
  }

  /** After this block height nothing of it can land. */
  get lastValidBlockHeight() {
    return this.reply.blockhash.last_valid_block_height;
  }

  /** Seconds until the blockhash is over, by the service's estimate when it answered; 0 when it is. */
  get secondsLeft() {
    return Math.max(0, (this.#expiresAtMs - performance.now()) / 1000);
  }

  get isExpired() {
    return this.secondsLeft === 0;
  }

  get isPreview() {
    return this.reply.transactions.some(({ base64 }) => base64 === null);
  }

  /**
   * The bytes to sign, as base64, in order.
   * @returns {readonly string[]}
   * @throws {EnvelopeError} `preview`, `expired`.
   */
  unsigned() {
    if (this.isPreview) throw new EnvelopeError('preview', 'a preview has no bytes: build again without preview_only');
    if (this.isExpired) throw expired([]);
    return this.reply.transactions.map(({ base64 }) => /** @type {string} */ (base64));
  }

  /**
   * Has your signer sign all of it, and your sender send it the way `submit` says: in order, each after the one before is confirmed without
   * an error; or as one bundle.
   * @param {Hands} hands
   * @returns {Promise<readonly string[]>} The signatures, in order; of a bundle what `sendBundle` answered.
   * @throws {EnvelopeError} `preview`, `expired`, `no_bundle` before anything is signed; `unsigned`, `expired`, `failed` later.
   */
  async handOver({ sign, send, confirm, sendBundle }) {
    const unsigned = this.unsigned();
    if (this.submit === 'bundle' && sendBundle === undefined)
      throw new EnvelopeError(
        'no_bundle',
        'one by one these would fail, or leave a position half open: pass sendBundle',
      );
    const signed = await sign(unsigned, this);
    if (!Array.isArray(signed) || signed.length !== unsigned.length || signed.some((text) => typeof text !== 'string'))
      throw new EnvelopeError('unsigned', `sign gave back no list of ${unsigned.length} transactions as base64`);
    if (this.isExpired) throw expired([]);
    if (this.submit === 'bundle' && sendBundle !== undefined) return [await sendBundle(signed, this)].flat();
    /** @type {string[]} */
    const signatures = [];
    for (const [index, transaction] of signed.entries()) {
      if (this.isExpired) throw expired(signatures);
      const signature = await send(transaction, this);
      signatures.push(signature);
      const err = (await confirm(signature, this)) ?? null;
      if (err === null) continue;
      const label = this.transactions[index]?.label;
      throw new EnvelopeError('failed', `"${label}" (${signature}) failed in its block`, { signatures, cause: err });
    }
    return signatures;
  }
}

/** @param {readonly string[]} signatures */
function expired(signatures) {
  return new EnvelopeError('expired', 'the blockhash is over: build again', { signatures });
}

/**
 * @param {any} reply
 * @returns {asserts reply is import('../types/wire.d.ts').Operations['svc_loop']['answer']}
 */
function assertEnvelope(reply) {
  const transactions = reply?.transactions;
  const checks = {
    account: typeof reply?.account === 'string',
    transactions:
      Array.isArray(transactions) &&
      transactions.length > 0 &&
      transactions.every(({ base64 }) => base64 === null || typeof base64 === 'string'),
    action_tx_index: transactions?.[reply?.action_tx_index] !== undefined,
    submit: reply?.submit === 'sequential' || reply?.submit === 'bundle',
    'blockhash.value': typeof reply?.blockhash?.value === 'string',
    'blockhash.last_valid_block_height': Number.isSafeInteger(reply?.blockhash?.last_valid_block_height),
    'blockhash.expires_in_seconds': Number.isFinite(reply?.blockhash?.expires_in_seconds),
    simulation: reply?.simulation?.success === true,
  };
  const wrong = Object.entries(checks).find(([, isSo]) => !isSo);
  if (wrong !== undefined) throw new EnvelopeError('malformed', `the envelope has no usable ${wrong[0]}`);
}

/**
 * @typedef {object} Hands What signs and sends, all of it yours.
 * @property {(unsigned: readonly string[], envelope: Envelope) => Promise<readonly string[]> | readonly string[]} sign
 *   All transactions as base64, signed by the authority, in the same order.
 * @property {(signed: string, envelope: Envelope) => Promise<string>} send Sends one and answers its signature.
 * @property {(signature: string, envelope: Envelope) => Promise<unknown>} confirm
 *   Waits until it is confirmed and answers its `err`: null where it succeeded. Throws where it can no longer land.
 * @property {(signed: readonly string[], envelope: Envelope) => Promise<string | readonly string[]>} [sendBundle]
 *   Hands all of them to a block engine as one bundle.
 */
