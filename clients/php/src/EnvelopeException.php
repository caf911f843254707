<?php

declare(strict_types=1);

namespace Lending;

/**
 * An envelope that cannot be handed over, or was and came to nothing.
 *
 * $kind is one of: malformed (it is none), preview (it has no bytes), expired (its blockhash is over: build again), no_bundle (it is a
 * bundle and nobody sends bundles), unsigned (the signer gave back something else than one signed transaction for each), failed (one
 * failed in its block; $err is why).
 */
final class EnvelopeException extends LendingException
{
    /** @param list<string> $signatures Of those that were sent before, in order; the last one is what failed. */
    public function __construct(
        public readonly string $kind,
        string $message,
        public readonly array $signatures = [],
        public readonly mixed $err = null,
    ) {
        parent::__construct($message);
    }
}
