<?php

declare(strict_types=1);

namespace Lending;

/**
 * Client of the lending agent service.
 *
 * Arguments and answers are arrays with the names of the wire, which its documentation has too. Amounts are UI tokens, as numbers or,
 * exactly, as text. each…() walks through all pages of what the method without it answers one page of. In a query lists are joined by
 * commas, DateTimeInterface is sent as ISO-8601, null is left out.
 *
 *     $lending = new LendingClient('https://lending.example');
 *     foreach ($lending->eachBank(['venue' => 'P0']) as $bank) {
 *         echo $bank['symbol'], ' ', $bank['rates']['total_deposit_apy_pct'], PHP_EOL;
 *     }
 */
final class LendingClient
{
    /** Needs a token. */
    public readonly Conversations $conversations;

    private readonly Transport $transport;
    /** @var array<string, string> */
    private readonly array $aggregatorKeys;

    /**
     * @param string $baseUrl Of the service, without /v1.
     * @param ?string $token An access token: calls are recorded in a conversation of its owner.
     * @param ?string $conversation Id of the conversation they are recorded in.
     * @param ?string $conversationsBaseUrl Where conversations are served elsewhere.
     * @param ?string $aggregator1ApiKey Your Jupiter key; sent with loops and closes, nowhere else.
     * @param ?string $aggregator2ApiKey Your DFlow key, likewise.
     * @param float $timeout Seconds, of one attempt.
     * @param float $maxWait Seconds that one call waits in all where the service answers 429 or 503 and says for how long; 0: never.
     * @param string $userAgent Names your program in conversations.
     */
    public function __construct(
        private readonly string $baseUrl = 'http://127.0.0.1:8080',
        #[\SensitiveParameter] private readonly ?string $token = null,
        ?string $conversation = null,
        private readonly ?string $conversationsBaseUrl = null,
        #[\SensitiveParameter] private readonly ?string $aggregator1ApiKey = null,
        #[\SensitiveParameter] private readonly ?string $aggregator2ApiKey = null,
        private readonly float $timeout = 30.0,
        private readonly float $maxWait = 60.0,
        private readonly string $userAgent = 'lending-client-php/0.1.0',
    ) {
        $headers = self::given([
            'authorization' => $token === null || $token === '' ? null : "Bearer $token",
            'x-conversation-id' => $conversation,
            'user-agent' => $userAgent,
        ]);
        $this->transport = new Transport($baseUrl, $headers, $timeout, $maxWait);
        $this->conversations = new Conversations(
            new Transport($conversationsBaseUrl ?? $baseUrl, $headers, $timeout, $maxWait),
        );
        $this->aggregatorKeys = self::given([
            'x-aggregator1-api-key' => $aggregator1ApiKey,
            'x-aggregator2-api-key' => $aggregator2ApiKey,
        ]);
    }

    /** @return array<string, string> What may be shown: no key, no token. */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl];
    }

    /** The same client, recording in this conversation. */
    public function inConversation(string $conversation): self
    {
        return new self(
            $this->baseUrl,
            $this->token,
            $conversation,
            $this->conversationsBaseUrl,
            $this->aggregator1ApiKey,
            $this->aggregator2ApiKey,
            $this->timeout,
            $this->maxWait,
            $this->userAgent,
        );
    }

    // Reads

    /**
     * Lending banks with rates, sizes and limits.
     *
     * @param array<string, mixed> $query symbol, venue, mint, bank, side, min_available_usd, sort, limit, cursor, fields, response_format,
     *   history.
     * @return array<string, mixed>
     */
    public function banks(array $query = []): array
    {
        return $this->get('/v1/banks', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachBank(array $query = []): \Generator
    {
        return $this->each('/v1/banks', 'banks', $query);
    }

    /** @return array<string, mixed> */
    public function bank(string $bank): array
    {
        return $this->get('/v1/banks/' . rawurlencode($bank));
    }

    /**
     * Rates of one bank over time.
     *
     * @param array<string, mixed> $query start, end, interval, fields, format (json or columns), cursor.
     * @return array<string, mixed>
     */
    public function bankHistory(string $bank, array $query = []): array
    {
        return $this->get('/v1/banks/' . rawurlencode($bank) . '/history', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachBankPoint(string $bank, array $query = []): \Generator
    {
        return $this->each('/v1/banks/' . rawurlencode($bank) . '/history', 'points', $query);
    }

    /**
     * How the caps of one bank changed, newest first.
     *
     * @param array<string, mixed> $query limit, cursor.
     * @return array<string, mixed>
     */
    public function bankLimits(string $bank, array $query = []): array
    {
        return $this->get('/v1/banks/' . rawurlencode($bank) . '/limits', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachBankLimit(string $bank, array $query = []): \Generator
    {
        return $this->each('/v1/banks/' . rawurlencode($bank) . '/limits', 'limits', $query);
    }

    /**
     * Pools of the other venues.
     *
     * @param array<string, mixed> $query venue, mint, symbol, market, reached, sort, limit, cursor, fields.
     * @return array<string, mixed>
     */
    public function reserves(array $query = []): array
    {
        return $this->get('/v1/reserves', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachReserve(array $query = []): \Generator
    {
        return $this->each('/v1/reserves', 'reserves', $query);
    }

    /** @return array<string, mixed> */
    public function reserve(string $reserve): array
    {
        return $this->get('/v1/reserves/' . rawurlencode($reserve));
    }

    /**
     * @param array<string, mixed> $query As bankHistory().
     * @return array<string, mixed>
     */
    public function reserveHistory(string $reserve, array $query = []): array
    {
        return $this->get('/v1/reserves/' . rawurlencode($reserve) . '/history', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachReservePoint(string $reserve, array $query = []): \Generator
    {
        return $this->each('/v1/reserves/' . rawurlencode($reserve) . '/history', 'points', $query);
    }

    /**
     * @param array<string, mixed> $query limit, cursor.
     * @return array<string, mixed>
     */
    public function reserveLimits(string $reserve, array $query = []): array
    {
        return $this->get('/v1/reserves/' . rawurlencode($reserve) . '/limits', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachReserveLimit(string $reserve, array $query = []): \Generator
    {
        return $this->each('/v1/reserves/' . rawurlencode($reserve) . '/limits', 'limits', $query);
    }

    /**
     * Pairs to lever, ranked.
     *
     * @param array<string, mixed> $query kind, supply_symbol, borrow_symbol, venue, min_size_usd, max_leverage, target_leverage, amount,
     *   sort, limit, cursor, fields, response_format.
     * @return array<string, mixed>
     */
    public function strategies(array $query = []): array
    {
        return $this->get('/v1/strategies', $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachStrategy(array $query = []): \Generator
    {
        return $this->each('/v1/strategies', 'strategies', $query);
    }

    /**
     * What a wallet holds.
     *
     * @param array<string, mixed> $query response_format, cursor.
     * @return array<string, mixed>
     */
    public function wallet(string $address, array $query = []): array
    {
        return $this->get('/v1/wallet/' . rawurlencode($address), $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachToken(string $address, array $query = []): \Generator
    {
        return $this->each('/v1/wallet/' . rawurlencode($address), 'tokens', $query);
    }

    /**
     * The lending accounts of a wallet, or one account: what is lent and owed, and what may still be done.
     *
     * @param array<string, mixed> $query response_format, cursor.
     * @return array<string, mixed>
     */
    public function positions(string $address, array $query = []): array
    {
        return $this->get('/v1/account/' . rawurlencode($address), $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachAccount(string $address, array $query = []): \Generator
    {
        return $this->each('/v1/account/' . rawurlencode($address), 'accounts', $query);
    }

    /**
     * How far an account is from liquidation.
     *
     * @param array<string, mixed> $query account, or authority where the wallet owns one account only; target_health_ratio,
     *   response_format.
     * @return array<string, mixed>
     */
    public function health(array $query): array
    {
        return $this->get('/v1/health', $query);
    }

    /**
     * What was done to the accounts of an address, newest first.
     *
     * @param array<string, mixed> $query kind, since, until, limit, cursor, response_format.
     * @return array<string, mixed>
     */
    public function activity(string $address, array $query = []): array
    {
        return $this->get('/v1/activity/' . rawurlencode($address), $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    public function eachActivity(string $address, array $query = []): \Generator
    {
        return $this->each('/v1/activity/' . rawurlencode($address), 'activity', $query);
    }

    /**
     * Pages of the guide that a question is answered on; without one all pages.
     *
     * @return array<string, mixed>
     */
    public function searchDocs(?string $query = null, ?int $limit = null): array
    {
        return $this->get('/v1/docs', ['query' => $query, 'limit' => $limit]);
    }

    /** @return array<string, mixed> One page of the guide, as markdown. */
    public function doc(string $slug): array
    {
        return $this->get('/v1/docs/' . rawurlencode($slug));
    }

    /** @return array<string, mixed> How fresh everything is. */
    public function status(): array
    {
        return $this->get('/v1/status');
    }

    // Builders. All take policy, priority_fee, transaction_version, preview_only and idempotency_key as well.

    /**
     * Builds: one more lending account.
     *
     * @param array{authority: string, ...} $request
     */
    public function createAccount(array $request): Envelope
    {
        return $this->build('create-account', $request);
    }

    /**
     * Builds: from the wallet into a bank.
     *
     * @param array{authority: string, bank: string, amount: string|int|float, account?: string, ...} $request
     */
    public function deposit(array $request): Envelope
    {
        return $this->build('deposit', $request);
    }

    /**
     * Builds: out of a bank into the wallet; amount, or withdraw_all.
     *
     * @param array{authority: string, bank: string, amount?: string|int|float, withdraw_all?: bool, account?: string, ...} $request
     */
    public function withdraw(array $request): Envelope
    {
        return $this->build('withdraw', $request);
    }

    /**
     * Builds: a loan into the wallet.
     *
     * @param array{authority: string, bank: string, amount: string|int|float, account?: string, ...} $request
     */
    public function borrow(array $request): Envelope
    {
        return $this->build('borrow', $request);
    }

    /**
     * Builds: a loan paid back; amount, or repay_all.
     *
     * @param array{authority: string, bank: string, amount?: string|int|float, repay_all?: bool, account?: string, ...} $request
     */
    public function repay(array $request): Envelope
    {
        return $this->build('repay', $request);
    }

    /**
     * Builds: leverage in, by one flash loan. leverage is at most the strategy's max_leverage.
     *
     * @param array{authority: string, deposit_bank: string, borrow_bank: string, amount: string|int|float, leverage: string|int|float,
     *   create_new_account?: bool, account?: string, ...} $request
     */
    public function loop(array $request): Envelope
    {
        return $this->build('loop', $request, $this->aggregatorKeys);
    }

    /**
     * Builds: leverage out, by one flash loan; amount of the debt token, or repay_all.
     *
     * @param array{authority: string, repay_all?: bool, amount?: string|int|float, deposit_bank?: string, borrow_bank?: string,
     *   account?: string, surplus?: string, ...} $request
     */
    public function closePosition(array $request): Envelope
    {
        return $this->build('close-position', $request, $this->aggregatorKeys);
    }

    /**
     * How the transactions of an envelope would fare now: by its plan_id, or the transactions themselves.
     *
     * @param array{plan_id?: string, transactions?: list<string>} $request
     * @return array<string, mixed>
     */
    public function simulate(array $request): array
    {
        return $this->transport->call('POST', '/v1/tx/simulate', body: $request);
    }

    /**
     * Whether a transaction landed and, with a plan id, did what its envelope promised.
     *
     * @return array<string, mixed>
     */
    public function verify(string $signature, ?string $planId = null): array
    {
        return $this->get('/v1/verify/' . rawurlencode($signature), ['plan_id' => $planId]);
    }

    /**
     * Whatever else the service has to read, such as get('/v1/banks', ['symbol' => 'SOL']).
     *
     * @param array<string, mixed> $query
     */
    public function get(string $path, array $query = []): mixed
    {
        return $this->transport->call('GET', $path, $query);
    }

    /**
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    private function each(string $path, string $list, array $query): \Generator
    {
        return Pages::eachRow(fn (?string $cursor): mixed => $this->get($path, [...$query, 'cursor' => $cursor]), $list);
    }

    /**
     * @param array<string, mixed> $request
     * @param array<string, string> $headers
     */
    private function build(string $action, array $request, #[\SensitiveParameter] array $headers = []): Envelope
    {
        $reply = $this->transport->call('POST', "/v1/tx/$action", body: $request, headers: $headers);
        return new Envelope(is_array($reply) ? $reply : []);
    }

    /**
     * @param array<string, ?string> $values
     * @return array<string, string>
     */
    private static function given(#[\SensitiveParameter] array $values): array
    {
        return array_filter($values, static fn (?string $value): bool => $value !== null && $value !== '');
    }
}
