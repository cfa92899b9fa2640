<?php

declare(strict_types=1);

namespace Trackside;

use Generator;

/** Reads X-Forwarded-For, and Forwarded of RFC 7239. */
final class ForwardedList
{
    /**
     * Yields the elements from the right end, where our own proxies write. Whatever a client put in
     * front, even an unbalanced quote, cannot change the elements after it.
     *
     * @return Generator<int, string>
     */
    public static function fromRight(?string $value): Generator
    {
        $value ??= '';
        $end = strlen($value);
        $isQuoted = false;
        for ($at = $end - 1; $at >= 0; $at--) {
            if ($value[$at] === '"') {
                $isQuoted = $isQuoted && self::isEscaped($value, $at) ? true : !$isQuoted;
            } elseif ($value[$at] === ',' && !$isQuoted) {
                $element = trim(substr($value, $at + 1, $end - $at - 1));
                if ($element !== '') {
                    yield $element;
                }
                $end = $at;
            }
        }
        $first = trim(substr($value, 0, $end));
        if ($first !== '') {
            yield $first;
        }
    }

    /** Returns the n-th element from the right end, or the leftmost if there are fewer. */
    public static function pick(?string $value, int $n): ?string
    {
        $picked = null;
        foreach (self::fromRight($value) as $element) {
            $picked = $element;
            if (--$n === 0) {
                break;
            }
        }
        return $picked;
    }

    /** Returns `for`, `proto` or `host` of an element of Forwarded. */
    public static function readPair(string $element, string $name): ?string
    {
        // A quoted host comes from the client, so a semicolon in it must not begin a pair.
        preg_match_all('/(?:"(?:\\\\.|[^"\\\\])*(?:"|\\\\?$)|[^";])+/s', $element, $pairs);
        foreach ($pairs[0] as $pair) {
            [$key, $value] = explode('=', $pair, 2) + [1 => null];
            if ($value === null || strtolower(trim($key)) !== $name) {
                continue;
            }
            $value = trim($value);
            $isQuoted = preg_match('/^"(.*)"$/sD', $value, $found) === 1;
            return $isQuoted ? preg_replace('/\\\\(.)/s', '$1', $found[1]) : $value;
        }
        return null;
    }

    private static function isEscaped(string $value, int $quoteAt): bool
    {
        $at = $quoteAt;
        while ($at > 0 && $value[$at - 1] === '\\') {
            $at--;
        }
        return ($quoteAt - $at) % 2 === 1;
    }
}
