<?php

declare(strict_types=1);

namespace Lending;

/**
 * What a builder answers: unsigned transactions, in order, and how they are to be sent.
 *
 * It holds no key and asks for none; handOver() gives them to functions of yours that sign and send.
 */
final class Envelope
{
    /** The lending account it is about, also before it exists. */
    public readonly string $account;
    /** @var list<array<string, mixed>> Unsigned, in the order they are sent: base64, type, label and more. */
    public readonly array $transactions;
    /** @var array<string, mixed> The one of them that does what was asked. */
    public readonly array $action;
    /** sequential: one after the other, each confirmed; bundle: all at once, all or none. */
    public readonly string $submit;
    /** One sentence to show before anybody signs. */
    public readonly string $summary;
    /** Names the envelope for simulate() and verify(). */
    public readonly string $planId;
    /** After this block height nothing of it can land. */
    public readonly int $lastValidBlockHeight;

    private readonly float $expiresAt;

    /**
     * @param array<string, mixed> $reply The whole answer, under the names of the wire.
     * @throws EnvelopeException malformed, naming the field.
     */
    public function __construct(public readonly array $reply)
    {
        self::check($reply);
        $this->account = $reply['account'];
        $this->transactions = $reply['transactions'];
        $this->action = $reply['transactions'][$reply['action_tx_index']];
        $this->submit = $reply['submit'];
        $this->summary = $reply['summary'] ?? '';
        $this->planId = $reply['plan_id'] ?? '';
        $this->lastValidBlockHeight = $reply['blockhash']['last_valid_block_height'];
        $this->expiresAt = self::now() + $reply['blockhash']['expires_in_seconds'];
    }

    /** @return array<string, mixed> The account after the action, as simulated. */
    public function postHealth(): array
    {
        return $this->reply['simulation']['post_health'];
    }

    /** @return list<array<string, mixed>> What to know before signing. */
    public function warnings(): array
    {
        return $this->reply['simulation']['warnings'];
    }

    /** Seconds until the blockhash is over, by the service's estimate when it answered; 0 when it is. */
    public function secondsLeft(): float
    {
        return max(0.0, $this->expiresAt - self::now());
    }

    public function isExpired(): bool
    {
        return $this->secondsLeft() === 0.0;
    }

    public function isPreview(): bool
    {
        return in_array(null, array_column($this->transactions, 'base64'), true);
    }

    /**
     * The bytes to sign, as base64, in order.
     *
     * @return list<string>
     * @throws EnvelopeException preview, expired.
     */
    public function unsigned(): array
    {
        if ($this->isPreview()) {
            throw new EnvelopeException('preview', 'a preview has no bytes: build again without preview_only');
        }
        if ($this->isExpired()) {
            throw self::expired([]);
        }
        return array_column($this->transactions, 'base64');
    }

    /**
     * Has your signer sign all of it, and your sender send it the way $submit says: in order, each after the one before is confirmed
     * without an error; or as one bundle.
     *
     * @param callable(list<string>): list<string> $sign All transactions as base64, signed by the authority, in the same order.
     * @param callable(string): string $send Sends one and answers its signature.
     * @param callable(string): mixed $confirm Waits until it is confirmed and answers its err, null where it succeeded; throws where it
     *   can no longer land.
     * @param ?callable(list<string>): (string|list<string>) $sendBundle Hands all of them to a block engine as one bundle.
     * @return list<string> The signatures, in order; of a bundle what $sendBundle answered.
     * @throws EnvelopeException preview, expired, no_bundle before anything is signed; unsigned, expired, failed later.
     */
    public function handOver(callable $sign, callable $send, callable $confirm, ?callable $sendBundle = null): array
    {
        $unsigned = $this->unsigned();
        if ($this->submit === 'bundle' && $sendBundle === null) {
            throw new EnvelopeException('no_bundle', 'one by one these would fail, or leave a position half open: pass sendBundle');
        }
        $signed = $sign($unsigned);
        if (!is_array($signed) || count($signed) !== count($unsigned) || count(array_filter($signed, is_string(...))) !== count($signed)) {
            throw new EnvelopeException('unsigned', 'sign gave back no list of ' . count($unsigned) . ' transactions as base64');
        }
        $signed = array_values($signed);
        if ($this->isExpired()) {
            throw self::expired([]);
        }
        if ($this->submit === 'bundle') {
            return array_values((array) $sendBundle($signed));
        }
        $signatures = [];
        foreach ($signed as $index => $transaction) {
            if ($this->isExpired()) {
                throw self::expired($signatures);
            }
            $signature = $send($transaction);
            $signatures[] = $signature;
            $err = $confirm($signature);
            if ($err !== null) {
                $label = $this->transactions[$index]['label'] ?? '';
                throw new EnvelopeException('failed', "\"$label\" ($signature) failed in its block", $signatures, $err);
            }
        }
        return $signatures;
    }

    /** @param list<string> $signatures */
    private static function expired(array $signatures): EnvelopeException
    {
        return new EnvelopeException('expired', 'the blockhash is over: build again', $signatures);
    }

    /** Seconds; not the wall clock, which may be set. */
    private static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    /** @param array<string, mixed> $reply */
    private static function check(array $reply): void
    {
        $transactions = $reply['transactions'] ?? null;
        $index = $reply['action_tx_index'] ?? null;
        $blockhash = $reply['blockhash'] ?? null;
        $isTransaction = static fn (mixed $one): bool => is_array($one)
            && array_key_exists('base64', $one)
            && ($one['base64'] === null || is_string($one['base64']));
        $isList = is_array($transactions) && $transactions !== [] && array_is_list($transactions);
        $checks = [
            'account' => is_string($reply['account'] ?? null),
            'transactions' => $isList && array_filter($transactions, $isTransaction) === $transactions,
            'action_tx_index' => is_int($index) && isset($transactions[$index]),
            'submit' => in_array($reply['submit'] ?? null, ['sequential', 'bundle'], true),
            'blockhash.value' => is_string($blockhash['value'] ?? null),
            'blockhash.last_valid_block_height' => is_int($blockhash['last_valid_block_height'] ?? null),
            'blockhash.expires_in_seconds' => is_numeric($blockhash['expires_in_seconds'] ?? null),
            'simulation' => ($reply['simulation']['success'] ?? null) === true,
        ];
        $wrong = array_search(false, $checks, true);
        if ($wrong !== false) {
            throw new EnvelopeException('malformed', "the envelope has no usable $wrong");
        }
    }
}
