<?php

declare(strict_types=1);

namespace Lending;

/** The conversations of whoever the token belongs to. Reading them records nothing. */
final class Conversations
{
    private const ROOT = '/v1/conversations';

    /** @internal LendingClient makes it. */
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * One page, the newest first.
     *
     * @param ?int $limit 1 to 100; the service's default is 10.
     * @return array{data: list<array<string, mixed>>, has_more: bool, next_cursor: ?string}
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->transport->call('GET', self::ROOT, ['limit' => $limit, 'cursor' => $cursor]);
    }

    /**
     * All of them, the newest first.
     *
     * @param ?int $limit Length of a page.
     * @return \Generator<int, array<string, mixed>>
     */
    public function each(?int $limit = null): \Generator
    {
        return Pages::eachRow(fn (?string $cursor): array => $this->list($limit, $cursor), 'data');
    }

    /** @return array<string, mixed> */
    public function create(?string $title = null): array
    {
        return $this->transport->call('POST', self::ROOT, body: ['title' => $title], once: true);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->transport->call('GET', self::path($id));
    }

    /** @return array<string, mixed> */
    public function rename(string $id, string $title): array
    {
        return $this->transport->call('PATCH', self::path($id), body: ['title' => $title]);
    }

    public function delete(string $id): void
    {
        $this->transport->call('DELETE', self::path($id));
    }

    /**
     * One page of what was asked in it.
     *
     * @return array{data: list<array<string, mixed>>, has_more: bool, next_cursor: ?string}
     */
    public function entries(string $id, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->transport->call('GET', self::path($id) . '/entries', ['limit' => $limit, 'cursor' => $cursor]);
    }

    /** @return \Generator<int, array<string, mixed>> */
    public function eachEntry(string $id, ?int $limit = null): \Generator
    {
        return Pages::eachRow(fn (?string $cursor): array => $this->entries($id, $limit, $cursor), 'data');
    }

    private static function path(string $id): string
    {
        return self::ROOT . '/' . rawurlencode($id);
    }
}
