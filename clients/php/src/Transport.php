<?php

declare(strict_types=1);

namespace Lending;

/**
 * One base URL, asked as the service wants to be asked: in time, again when it says so, never elsewhere.
 *
 * @internal
 */
final class Transport
{
    /** A wait is lengthened by up to this much, so that many who were told the same do not come back at once. */
    private const SPREAD_MICROSECONDS = 250_000;
    /** Answers to whoever came too soon, or while the service was away: nothing was done for them. */
    private const WAITING_STATUSES = [429, 503];

    private readonly string $baseUrl;

    /** @param array<string, string> $headers Sent with every request. */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] private readonly array $headers,
        private readonly float $timeout,
        private readonly float $maxWait,
    ) {
        if (preg_match('~^https?://~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException("baseUrl is $baseUrl, which is no http or https address");
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /** @return array<string, string> What may be shown: no header. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /**
     * @param array<string, mixed> $query
     * @param ?array<string, mixed> $body
     * @param array<string, string> $headers
     * @param bool $once Not repeated where the service was away, since it might have been done.
     * @return mixed The answer's body, parsed; null where there is none.
     * @throws ServiceException The service refused.
     * @throws UnreachableException It did not answer, or something else did.
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        ?array $body = null,
        #[\SensitiveParameter] array $headers = [],
        bool $once = false,
    ): mixed {
        $left = $this->maxWait;
        while (true) {
            [$status, $answered, $text] = $this->send($method, $path, $query, $body, $headers);
            if ($status >= 200 && $status < 300) {
                return $text === '' ? null : self::parse($text, "$method $path", $status);
            }
            [$error, $retryAfter] = self::refusal("$method $path", $status, $answered, $text);
            $again = in_array($status, self::WAITING_STATUSES, true) && !($once && $status === 503);
            if (!$again || $retryAfter === null || $retryAfter > $left) {
                throw $error;
            }
            $left -= $retryAfter;
            usleep((int) ($retryAfter * 1e6) + random_int(0, self::SPREAD_MICROSECONDS));
        }
    }

    /**
     * @param array<string, mixed> $query
     * @param ?array<string, mixed> $body
     * @param array<string, string> $headers
     * @return array{int, array<string, string>, string} Status, headers by lower-case name, body.
     */
    private function send(
        string $method,
        string $path,
        array $query,
        ?array $body,
        #[\SensitiveParameter] array $headers,
    ): array {
        $sent = ['accept' => 'application/json', ...$this->headers, ...$headers];
        if ($body !== null) {
            $sent['content-type'] = 'application/json';
        }
        $answered = [];
        $handle = curl_init($this->baseUrl . $path . self::queryText($query));
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_map(
                static fn (string $name, string $value): string => "$name: " . self::headerValue($name, $value),
                array_keys($sent),
                array_values($sent),
            ),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeout * 1000),
            CURLOPT_NOSIGNAL => true,
            // A token is for one host: whoever wants to be asked elsewhere is named in baseUrl.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // Whatever curl can unpack.
            CURLOPT_ENCODING => '',
            CURLOPT_HEADERFUNCTION => static function ($_handle, string $line) use (&$answered): int {
                [$name, $value] = array_pad(explode(':', $line, 2), 2, '');
                $answered[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            $given = array_filter($body, static fn (mixed $value): bool => $value !== null);
            curl_setopt($handle, CURLOPT_POSTFIELDS, json_encode((object) $given, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES));
        }
        $text = curl_exec($handle);
        if (!is_string($text)) {
            throw new UnreachableException("$method {$this->baseUrl}$path: no answer (" . curl_error($handle) . ')');
        }
        return [curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $answered, $text];
    }

    /** A line break would begin another header. */
    private static function headerValue(string $name, #[\SensitiveParameter] string $value): string
    {
        if (preg_match('/[\r\n\0]/', $value) === 1) {
            throw new \InvalidArgumentException("the value of $name has a line break");
        }
        return $value;
    }

    private static function parse(string $text, string $call, int $status): mixed
    {
        try {
            return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        } catch (\JsonException $cause) {
            throw new UnreachableException("$call: answered $status with something that is not JSON", 0, $cause);
        }
    }

    /**
     * @param array<string, string> $headers
     * @return array{LendingException, ?float}
     */
    private static function refusal(string $call, int $status, array $headers, string $text): array
    {
        $body = json_decode($text, true);
        $told = $headers['retry-after'] ?? (is_array($body) ? $body['retry_after_s'] ?? null : null);
        $retryAfter = is_numeric($told) && $told >= 0 ? (float) $told : null;
        if (is_array($body) && is_string($body['code'] ?? null) && is_string($body['error'] ?? null)) {
            return [new ServiceException($body, $status, $retryAfter, $headers['x-request-id'] ?? null), $retryAfter];
        }
        // A proxy's page; its words are not shown, since nobody knows whose they are.
        return [new UnreachableException("$call: answered $status, and not as the service does"), $retryAfter];
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = array_filter($query, static fn (mixed $value): bool => $value !== null);
        if ($given === []) {
            return '';
        }
        return '?' . http_build_query(array_map(self::textOf(...), $given), '', '&', PHP_QUERY_RFC3986);
    }

    private static function textOf(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_array($value) => implode(',', array_map(self::textOf(...), $value)),
            $value instanceof \DateTimeInterface => $value->format(\DateTimeInterface::RFC3339_EXTENDED),
            default => (string) $value,
        };
    }
}
