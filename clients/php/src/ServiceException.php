<?php

declare(strict_types=1);

namespace Lending;

/**
 * The service said no, and what to change. Branch on $errorCode, never on the message.
 *
 *     try {
 *         $lending->borrow(['authority' => $wallet, 'bank' => $bank, 'amount' => '250']);
 *     } catch (ServiceException $error) {
 *         if ($error->errorCode !== 'BORROW_LIMIT_EXCEEDED') throw $error;
 *         echo 'at most ', $error->details['max_borrow'];
 *     }
 */
final class ServiceException extends LendingException
{
    /** Stable, such as RATE_LIMITED; its HTTP status, which getCode() has, is fixed. */
    public readonly string $errorCode;
    public readonly int $status;
    /** @var array<string, mixed> Facts of that code, such as max_borrow or accounts. */
    public readonly array $details;
    /** Whether the same call may succeed later. */
    public readonly bool $retryable;
    /** Where the code is explained. */
    public readonly ?string $docs;

    /**
     * @param array<string, mixed> $body
     * @param ?float $retryAfter Seconds to wait before the same call; null where the service does not say.
     * @param ?string $requestId Names the request in the service's log.
     */
    public function __construct(
        array $body,
        int $status,
        public readonly ?float $retryAfter,
        public readonly ?string $requestId,
    ) {
        parent::__construct("{$body['code']}: {$body['error']}", $status);
        $this->errorCode = $body['code'];
        $this->status = $status;
        $this->details = is_array($body['details'] ?? null) ? $body['details'] : [];
        $this->retryable = ($body['retryable'] ?? null) === true;
        $this->docs = $body['docs'] ?? null;
    }
}
