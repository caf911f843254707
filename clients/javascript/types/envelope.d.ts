/**
 * What a builder answers: unsigned transactions, in order, and how they are to be sent. It holds no key and asks for none; `handOver` gives
 * them to functions of yours that sign and send.
 */
export declare class Envelope {
    #private;
    /** @type {import('../types/wire.d.ts').Operations['svc_loop']['answer']} The whole answer, under the names of the wire. */
    reply: import('../types/wire.d.ts').Operations['svc_loop']['answer'];
    /**
     * @param {unknown} reply What a builder answered, as JSON.
     * @throws {EnvelopeError} `malformed`, naming the field.
     */
    constructor(reply: unknown);
    /** The lending account it is about, also before it exists. */
    get account(): string;
    /** Unsigned, in the order they are sent: `{base64, type, label, …}`. */
    get transactions(): {
        base64: string | null;
        type: "CREATE_ACCOUNT" | "SETUP" | "CRANK" | "DEPOSIT" | "WITHDRAW" | "BORROW" | "REPAY" | "LOOP" | "CLOSE_POSITION";
        label: string;
        bytes: number;
        compute_units: number;
        signers: Array<string>;
        programs: Array<string>;
        writable_count: number;
    }[];
    /** The one of them that does what was asked. */
    get action(): {
        base64: string | null;
        type: "CREATE_ACCOUNT" | "SETUP" | "CRANK" | "DEPOSIT" | "WITHDRAW" | "BORROW" | "REPAY" | "LOOP" | "CLOSE_POSITION";
        label: string;
        bytes: number;
        compute_units: number;
        signers: Array<string>;
        programs: Array<string>;
        writable_count: number;
    } | undefined;
    /** `sequential`: one after the other, each confirmed; `bundle`: all at once, all or none. */
    get submit(): "bundle" | "sequential";
    /** One sentence to show before anybody signs. */
    get summary(): string;
    /** Names the envelope for `simulate` and `verify`. */
    get planId(): string;
    /** The account after the action, as simulated. */
    get postHealth(): import("../types/wire.d.ts").AccountHealth;
    /** What to know before signing. */
    get warnings(): import("../types/wire.d.ts").Warning[];
    /** After this block height nothing of it can land. */
    get lastValidBlockHeight(): number;
    /** Seconds until the blockhash is over, by the service's estimate when it answered; 0 when it is. */
    get secondsLeft(): number;
    get isExpired(): boolean;
    get isPreview(): boolean;
    /**
     * The bytes to sign, as base64, in order.
     * @returns {readonly string[]}
     * @throws {EnvelopeError} `preview`, `expired`.
     */
    unsigned(): readonly string[];
    /**
     * Has your signer sign all of it, and your sender send it the way `submit` says: in order, each after the one before is confirmed without
     * an error; or as one bundle.
     * @param {Hands} hands
     * @returns {Promise<readonly string[]>} The signatures, in order; of a bundle what `sendBundle` answered.
     * @throws {EnvelopeError} `preview`, `expired`, `no_bundle` before anything is signed; `unsigned`, `expired`, `failed` later.
     */
    handOver({ sign, send, confirm, sendBundle }: Hands): Promise<readonly string[]>;
}
export type Hands = {
    /**
     *   All transactions as base64, signed by the authority, in the same order.
     */
    sign: (unsigned: readonly string[], envelope: Envelope) => Promise<readonly string[]> | readonly string[];
    /**
     * Sends one and answers its signature.
     */
    send: (signed: string, envelope: Envelope) => Promise<string>;
    /**
     *   Waits until it is confirmed and answers its `err`: null where it succeeded. Throws where it can no longer land.
     */
    confirm: (signature: string, envelope: Envelope) => Promise<unknown>;
    /**
     * Hands all of them to a block engine as one bundle.
     */
    sendBundle?: (signed: readonly string[], envelope: Envelope) => Promise<string | readonly string[]>;
};
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
