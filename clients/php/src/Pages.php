<?php

declare(strict_types=1);

namespace Lending;

/** @internal */
final class Pages
{
    /**
     * Hands out the rows of all pages one by one; the next page is asked for when the one before is used up.
     *
     * @param callable(?string): mixed $fetchPage
     * @param string $list Name of the rows in a page.
     * @return \Generator<int, array<string, mixed>>
     */
    public static function eachRow(callable $fetchPage, string $list): \Generator
    {
        $cursor = null;
        while (true) {
            $page = $fetchPage($cursor);
            if (!is_array($page[$list] ?? null)) {
                throw new UnreachableException("a page without $list");
            }
            foreach ($page[$list] as $row) {
                // Numbered over all pages: iterator_to_array would lose rows of equal keys.
                yield $row;
            }
            $next = $page['next_cursor'] ?? null;
            if ($next === null) {
                return;
            }
            if ($next === $cursor) {
                throw new UnreachableException("the pages of $list do not end: next_cursor is the one before");
            }
            $cursor = $next;
        }
    }
}
