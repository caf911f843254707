<?php

declare(strict_types=1);

/*
 * SCRIPTED_URL: a service that misbehaves as the cases below want it. LENDING_URL: the service itself, with LENDING_TOKEN, a funded WALLET
 * and a SIGNER, a program that is given sign, send or confirm and reads base64 from stdin. LIMITED_URL: the service at its own limits.
 * Prints "ok - <case>" or "not ok - <case>"; ends with 1 where one failed.
 */

require __DIR__ . '/../autoload.php';

use Lending\Envelope;
use Lending\EnvelopeException;
use Lending\LendingClient;
use Lending\ServiceException;
use Lending\UnreachableException;

const DEPOSIT = ['authority' => 'wallet', 'bank' => 'bank', 'amount' => '1.5'];
const LOOP = ['authority' => 'wallet', 'deposit_bank' => 'one', 'borrow_bank' => 'two', 'amount' => 1, 'leverage' => 2];
const NOBODY = '11111111111111111111111111111111';

$failures = 0;

function test(string $case, callable $body): void
{
    global $failures;
    try {
        $body();
        echo "ok - $case\n";
    } catch (\Throwable $error) {
        $failures++;
        echo "not ok - $case\n  ", str_replace("\n", "\n  ", (string) $error), "\n";
    }
}

function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new \LogicException('expected ' . var_export($expected, true) . ', got ' . var_export($actual, true));
    }
}

function holds(bool $isSo, string $what): void
{
    if (!$isSo) {
        throw new \LogicException("not so: $what");
    }
}

/**
 * @template T of \Throwable
 * @param class-string<T> $class
 * @return T
 */
function thrown(string $class, callable $call): \Throwable
{
    try {
        $call();
    } catch (\Throwable $error) {
        if ($error instanceof $class) {
            return $error;
        }
        throw $error;
    }
    throw new \LogicException("no $class was thrown");
}

function refused(string $code, int $status, callable $call): ServiceException
{
    $error = thrown(ServiceException::class, $call);
    same([$code, $status], [$error->errorCode, $error->status]);
    return $error;
}

function kind(string $kind, callable $call): EnvelopeException
{
    $error = thrown(EnvelopeException::class, $call);
    same($kind, $error->kind);
    return $error;
}

function url(string $name): ?string
{
    $value = getenv($name);
    return $value === false || $value === '' ? null : $value;
}

function scripted(string $script, mixed ...$options): LendingClient
{
    return new LendingClient(url('SCRIPTED_URL') . "/$script", ...$options);
}

/** @return list<array<string, mixed>> */
function seen(string $script): array
{
    return json_decode((string) file_get_contents(url('SCRIPTED_URL') . "/seen/$script"), true)['requests'];
}

/** Signs and sends, and says what it was asked for. */
final class Hands
{
    /** @var list<string> */
    public array $log = [];

    /** @return array<string, callable> */
    public function all(): array
    {
        return [
            'sign' => function (array $unsigned): array {
                $this->log[] = 'sign ' . count($unsigned);
                return array_map(static fn (string $text): string => base64_decode($text) . ', signed', $unsigned);
            },
            'send' => function (string $text): string {
                $this->log[] = "send $text";
                return "signature of $text";
            },
            'confirm' => function (string $signature): mixed {
                $this->log[] = "confirm $signature";
                return null;
            },
        ];
    }

    public function count(string $verb): int
    {
        return count(array_filter($this->log, static fn (string $line): bool => str_starts_with($line, $verb)));
    }
}

if (url('SCRIPTED_URL') !== null) {
    test('waits as long as it is told and asks again', function (): void {
        $began = microtime(true);
        same(true, scripted('busy')->status()['ready']);
        holds(microtime(true) - $began >= 2, 'it waited twice');
        same(3, count(seen('busy')));
    });

    test('gives back at once what it would wait too long for', function (): void {
        $began = microtime(true);
        $error = refused('RATE_LIMITED', 429, fn () => scripted('very-busy')->status());
        same([true, 3600.0, ['scope' => 'v1'], 'scripted-1'], [$error->retryable, $error->retryAfter, $error->details, $error->requestId]);
        holds(microtime(true) - $began < 60, 'it did not wait');
        same(1, count(seen('very-busy')));
    });

    test('gives up when its waits add up to more than it may wait', function (): void {
        refused('RATE_LIMITED', 429, fn () => scripted('always-busy', maxWait: 2.5)->status());
        same(3, count(seen('always-busy')));
    });

    test('waits while the service is away', function (): void {
        same(true, scripted('away')->status()['ready']);
        same(2, count(seen('away')));
    });

    test('ends an attempt that takes too long', function (): void {
        foreach (['silent', 'dripping'] as $script) {
            $began = microtime(true);
            thrown(UnreachableException::class, fn () => scripted($script, timeout: 0.5)->status());
            holds(microtime(true) - $began < 20, 'it ended in time');
        }
    });

    test('says when something else than the service answered', function (): void {
        foreach (['proxy', 'garbled', 'cut'] as $script) {
            $error = thrown(UnreachableException::class, fn () => scripted($script)->status());
            holds(!str_contains($error->getMessage(), 'nobody knows'), 'a stranger is not quoted');
        }
        thrown(UnreachableException::class, fn () => (new LendingClient('http://127.0.0.1:1'))->status());
        thrown(\InvalidArgumentException::class, fn () => new LendingClient('file:///etc/passwd'));
    });

    test('walks through all pages in order', function (): void {
        $found = iterator_to_array(scripted('pages')->eachBank(['limit' => 2]));
        same(['one', 'two', 'three', 'four', 'five'], array_column($found, 'address'));
        // What nobody looks at is not asked for.
        foreach (scripted('pages')->eachBank(['limit' => 2]) as $bank) {
            if ($bank['address'] === 'two') {
                break;
            }
        }
        same(4, count(seen('pages')));
    });

    test('stops at pages that never end', function (): void {
        thrown(UnreachableException::class, fn () => iterator_to_array(scripted('stuck')->eachBank()));
    });

    test('follows no redirect with its token', function (): void {
        thrown(UnreachableException::class, fn () => scripted('moved', token: 'secret-token')->status());
        same([], seen('elsewhere'));
    });

    test('sends keys with loops and closes alone', function (): void {
        $before = count(seen('echo'));
        $lending = scripted('echo', aggregator1ApiKey: 'key-1', aggregator2ApiKey: 'key-2');
        $lending->status();
        $lending->deposit(DEPOSIT);
        $lending->loop(LOOP);
        $lending->closePosition(['authority' => 'wallet', 'repay_all' => true]);
        $keys = array_map(
            static fn (array $asked): array => [
                $asked['headers']['x-aggregator1-api-key'] ?? null,
                $asked['headers']['x-aggregator2-api-key'] ?? null,
            ],
            array_slice(seen('echo'), $before),
        );
        same([[null, null], [null, null], ['key-1', 'key-2'], ['key-1', 'key-2']], $keys);
    });

    test('names its conversation and escapes what it is given', function (): void {
        $lending = scripted('echo', token: 'token-1')->inConversation('conversation-1');
        $lending->doc('a/b?c#d ä');
        $lending->banks(['symbol' => 'A&B', 'fields' => ['symbol', 'rates'], 'limit' => 3, 'venue' => null]);
        $lending->activity('wallet', ['since' => new DateTimeImmutable('2026-11-01T00:00:00Z')]);
        [$doc, $banks, $activity] = array_slice(seen('echo'), -3);
        same('/v1/docs/a%2Fb%3Fc%23d%20%C3%A4', $doc['path']);
        same('Bearer token-1', $doc['headers']['authorization']);
        same('conversation-1', $doc['headers']['x-conversation-id']);
        parse_str((string) parse_url($banks['path'], PHP_URL_QUERY), $query);
        same(['symbol' => 'A&B', 'fields' => 'symbol,rates', 'limit' => '3'], $query);
        holds(str_contains($activity['path'], 'since=2026-11-01T00%3A00%3A00.000%2B00%3A00'), $activity['path']);
        thrown(\InvalidArgumentException::class, fn () => scripted('echo', token: "a\r\nx-other: b")->status());
    });

    test('never makes a conversation twice', function (): void {
        refused('UPSTREAM_UNAVAILABLE', 503, fn () => scripted('unmade', token: 't')->conversations->create());
        same(1, count(seen('unmade')));
        same('{}', seen('unmade')[0]['body']);
    });

    test('asks for conversations where they are served', function (): void {
        $client = scripted('home', token: 't', conversationsBaseUrl: url('SCRIPTED_URL') . '/apart');
        $client->status();
        $client->conversations->list();
        $client->inConversation('one')->conversations->list();
        $asked = array_map(static fn (array $one): array => [$one['path'], $one['headers']['authorization']], seen('apart'));
        same(array_fill(0, 2, ['/v1/conversations', 'Bearer t']), $asked);
        same(['/v1/status'], array_column(seen('home'), 'path'));
    });

    test('hands a sequence over one by one in order', function (): void {
        $hands = new Hands();
        $signatures = scripted('sequence')->deposit(DEPOSIT)->handOver(...$hands->all());
        $texts = array_map(static fn (int $number): string => "transaction $number, signed", [1, 2, 3]);
        same(array_map(static fn (string $text): string => "signature of $text", $texts), $signatures);
        $steps = array_map(static fn (string $text): array => ["send $text", "confirm signature of $text"], $texts);
        same(['sign 3', ...array_merge(...$steps)], $hands->log);
    });

    test('stops a sequence at the first that failed', function (): void {
        $hands = new Hands();
        $envelope = scripted('sequence')->deposit(DEPOSIT);
        $failing = ['confirm' => fn (string $signature): ?array => str_contains($signature, '2') ? ['Custom' => 6009] : null];
        $error = kind('failed', fn () => $envelope->handOver(...[...$hands->all(), ...$failing]));
        same([2, ['Custom' => 6009]], [count($error->signatures), $error->err]);
        same(2, $hands->count('send'));
        kind('unsigned', fn () => $envelope->handOver(...[...$hands->all(), 'sign' => fn (): array => ['one']]));
    });

    test('hands a bundle over as one', function (): void {
        $hands = new Hands();
        $envelope = scripted('bundle')->loop(LOOP);
        kind('no_bundle', fn () => $envelope->handOver(...$hands->all()));
        same([], $hands->log);
        $sent = [];
        $sendBundle = function (array $signed) use (&$sent): string {
            $sent[] = $signed;
            return 'bundle-1';
        };
        same(['bundle-1'], $envelope->handOver(...$hands->all(), sendBundle: $sendBundle));
        same([['transaction 1, signed', 'transaction 2, signed', 'transaction 3, signed']], $sent);
        same(['sign 3'], $hands->log);
    });

    test('hands over nothing that is a preview or expired', function (): void {
        $hands = new Hands();
        kind('preview', fn () => scripted('preview')->deposit(DEPOSIT)->handOver(...$hands->all()));
        $envelope = scripted('expiring')->deposit(DEPOSIT);
        holds($envelope->secondsLeft() > 0 && $envelope->secondsLeft() <= 2, 'seconds are left');
        // It runs out between the two.
        $slow = ['confirm' => function (): mixed {
            usleep(2_100_000);
            return null;
        }];
        $error = kind('expired', fn () => $envelope->handOver(...[...$hands->all(), ...$slow]));
        same(1, count($error->signatures));
        same(true, $envelope->isExpired());
        kind('expired', fn () => $envelope->handOver(...$hands->all()));
        same(1, $hands->count('sign'));
    });

    test('refuses what is no envelope', function (): void {
        $error = kind('malformed', fn () => scripted('nonsense')->deposit(DEPOSIT));
        holds(str_contains($error->getMessage(), 'submit'), 'the field is named');
        kind('malformed', fn () => scripted('elsewhere')->deposit(DEPOSIT));
    });

    test('shows no key and no token', function (): void {
        $lending = scripted('proxy', token: 'secret-1', aggregator1ApiKey: 'secret-2', aggregator2ApiKey: 'secret-3');
        $error = thrown(UnreachableException::class, fn () => $lending->loop(LOOP));
        ob_start();
        var_dump($lending, $lending->conversations);
        print_r($lending);
        $shown = ob_get_clean() . $error . json_encode($lending);
        holds(!str_contains($shown, 'secret-'), 'nothing secret is shown');
    });
}

if (url('LENDING_URL') !== null) {
    $lending = new LendingClient((string) url('LENDING_URL'));
    $authority = (string) url('WALLET');
    $bankOf = fn (string $symbol): string => $lending->banks(['symbol' => $symbol, 'venue' => 'P0', 'side' => 'borrow'])['banks'][0]['address'];

    test('reads what there is', function () use ($lending, $authority): void {
        $page = $lending->banks(['venue' => 'P0', 'limit' => 3]);
        same([3, 'localnet'], [count($page['banks']), $page['as_of']['source']]);
        $bank = $page['banks'][0]['address'];
        same($bank, $lending->bank($bank)['address']);
        $start = new DateTimeImmutable('-20 minutes');
        holds($lending->bankHistory($bank, ['interval' => '1m', 'start' => $start])['points'] !== [], 'there is a history');
        holds($lending->bankLimits($bank)['limits'] !== [], 'there are limits');
        $reserve = $lending->reserves(['venue' => 'Kamino', 'limit' => 1])['reserves'][0]['address'];
        same('Kamino', $lending->reserve($reserve)['venue']);
        same('Kamino', $lending->reserveHistory($reserve)['venue']);
        holds($lending->reserveLimits($reserve)['count'] >= 0, 'limits are counted');
        same(2, count($lending->strategies(['limit' => 2])['strategies']));
        same($authority, $lending->wallet($authority)['address']);
        holds(is_array($lending->positions($authority)['accounts']), 'accounts are listed');
        holds(is_array($lending->activity($authority)['activity']), 'activity is listed');
        holds($lending->searchDocs('liquidation')['docs'] !== [], 'pages are found');
        holds(str_contains($lending->doc('units')['markdown'], 'UI token'), 'a page is read');
        same(true, $lending->status()['ready']);
        same(true, $lending->get('/v1/status')['ready']);
    });

    test('walks through all banks as one page has them', function () use ($lending): void {
        $query = ['sort' => 'symbol', 'fields' => ['symbol']];
        $whole = array_column($lending->banks([...$query, 'limit' => 500])['banks'], 'address');
        $walked = array_column(iterator_to_array($lending->eachBank([...$query, 'limit' => 7])), 'address');
        holds(count($whole) > 12, 'there are banks');
        same($whole, $walked);
        $times = array_column(iterator_to_array($lending->eachBankPoint($whole[0], ['interval' => '1m'])), 'time');
        $sorted = $times;
        sort($sorted);
        same($sorted, $times);
    });

    test('tells errors by code and what to change', function () use ($lending, $authority, $bankOf): void {
        $error = refused('BANK_NOT_FOUND', 404, fn () => $lending->bank(NOBODY));
        holds(!$error->retryable && $error->requestId !== null, 'it says so again');
        refused('DOC_NOT_FOUND', 404, fn () => $lending->doc('no-such-page'));
        $request = ['authority' => $authority, 'bank' => 'SOL', 'amount' => 1];
        same('bank', refused('INVALID_ARGUMENT', 400, fn () => $lending->deposit($request))->details['field']);
        $request = ['authority' => $authority, 'bank' => $bankOf('SOL'), 'amount' => '1000000'];
        refused('INSUFFICIENT_BALANCE', 422, fn () => $lending->deposit($request));
        refused('ACCOUNT_NOT_FOUND', 404, fn () => $lending->health(['account' => NOBODY]));
    });

    test('asks every builder', function () use ($lending, $authority, $bankOf): void {
        [$sol, $usdc] = [$bankOf('SOL'), $bankOf('USDC')];
        $created = $lending->createAccount(['authority' => $authority, 'preview_only' => true]);
        same([true, 'CREATE_ACCOUNT'], [$created->isPreview(), $created->action['type']]);
        $pair = ['authority' => $authority, 'deposit_bank' => $sol, 'borrow_bank' => $usdc];
        $loop = $lending->loop([...$pair, 'amount' => '0.5', 'leverage' => 1.5, 'create_new_account' => true]);
        same('LOOP', $loop->action['type']);
        holds($loop->reply['swap'] !== null && count($loop->unsigned()) === count($loop->transactions), 'it is whole');
        $debt = ['authority' => $authority, 'bank' => $usdc];
        foreach ([
            fn () => $lending->withdraw([...$debt, 'withdraw_all' => true]),
            fn () => $lending->borrow([...$debt, 'amount' => '100000000']),
            fn () => $lending->repay([...$debt, 'repay_all' => true]),
            fn () => $lending->closePosition([...$pair, 'repay_all' => true]),
        ] as $call) {
            thrown(ServiceException::class, $call);
        }
    });

    test('builds what a signer of its own lands', function () use ($lending, $authority, $bankOf): void {
        $ask = function (string $what, array $lines): array {
            $pipes = [];
            $process = proc_open([...explode(' ', (string) url('SIGNER')), $what], [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
            fwrite($pipes[0], implode("\n", $lines));
            fclose($pipes[0]);
            $output = trim((string) stream_get_contents($pipes[1]));
            same(0, proc_close($process));
            return explode("\n", $output);
        };
        $request = ['authority' => $authority, 'bank' => $bankOf('SOL'), 'amount' => '1.25', 'idempotency_key' => uniqid('php-')];
        $envelope = $lending->deposit($request);
        same($envelope->planId, $lending->deposit($request)->planId);
        same(true, $lending->simulate(['plan_id' => $envelope->planId])['would_land']);
        $signatures = $envelope->handOver(
            sign: fn (array $unsigned): array => $ask('sign', $unsigned),
            send: fn (string $text): string => $ask('send', [$text])[0],
            confirm: fn (string $signature): mixed => json_decode($ask('confirm', [$signature])[0], true),
        );
        $landed = $lending->verify($signatures[array_key_last($signatures)], $envelope->planId);
        same([true, true, true], [$landed['landed'], $landed['success'], $landed['plan']['matches']]);
    });

    test('keeps conversations', function (): void {
        $mine = new LendingClient((string) url('LENDING_URL'), url('LENDING_TOKEN'));
        $made = $mine->conversations->create('From PHP')['id'];
        $mine->inConversation($made)->banks(['symbol' => 'SOL']);
        thrown(ServiceException::class, fn () => $mine->inConversation($made)->bank(NOBODY));
        $outcomes = array_column(iterator_to_array($mine->conversations->eachEntry($made, 1)), 'outcome');
        sort($outcomes);
        same(['error', 'ok'], $outcomes);
        same('Renamed ä', $mine->conversations->rename($made, 'Renamed ä')['title']);
        same(2, $mine->conversations->get($made)['entry_count']);
        $second = $mine->conversations->create()['id'];
        $found = array_column(iterator_to_array($mine->conversations->each(1)), 'id');
        same([], array_diff([$made, $second], $found));
        same(true, $mine->conversations->list(1)['has_more']);
        $mine->conversations->delete($made);
        $mine->conversations->delete($second);
        same(404, thrown(ServiceException::class, fn () => $mine->conversations->get($made))->status);
    });

    test('says that a token is wrong', function () use ($lending): void {
        $wrong = new LendingClient((string) url('LENDING_URL'), 'not-a-token');
        refused('UNAUTHENTICATED', 401, fn () => $wrong->conversations->list());
        refused('UNAUTHENTICATED', 401, fn () => $wrong->status());
        refused('UNAUTHENTICATED', 401, fn () => $lending->conversations->list());
    });
}

if (url('LIMITED_URL') !== null) {
    // A request that is wrong counts as any other, and costs the service nothing.
    $ask = fn (float $maxWait): ServiceException => thrown(
        ServiceException::class,
        fn (): Envelope => (new LendingClient((string) url('LIMITED_URL'), maxWait: $maxWait))->loop([...LOOP, 'authority' => 'nobody']),
    );

    test('is refused beyond the limit and told for how long', function () use ($ask): void {
        $errors = array_map(static fn (): ServiceException => $ask(0), range(1, 5));
        same('RATE_LIMITED', $errors[4]->errorCode);
        holds($errors[4]->retryAfter >= 1 && $errors[4]->retryAfter <= 60, 'within a minute');
        same('leverage', $errors[4]->details['scope']);
    });

    test('waits a limit out and is answered', function () use ($ask): void {
        same('INVALID_ARGUMENT', $ask(150)->errorCode);
    });
}

exit($failures === 0 ? 0 : 1);
