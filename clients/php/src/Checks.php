<?php

declare(strict_types=1);

namespace Trackside;

use InvalidArgumentException;

/** Checks the options of a client when it is created. */
final class Checks
{
    /** Messages don't repeat values, because key and URL may have been swapped. */
    public static function url(string $url): void
    {
        $parts = parse_url($url);
        if (!is_array($parts) || !in_array($parts['scheme'] ?? '', ['http', 'https'], true) || !isset($parts['host'])) {
            throw new InvalidArgumentException('url: expected an address such as https://trackside.example');
        }
        if (isset($parts['user']) || isset($parts['pass'])) {
            throw new InvalidArgumentException('url: expected no user name or password in it');
        }
        if (preg_match('/[?#\s]/', $url) === 1) {
            throw new InvalidArgumentException('url: expected no ?, # or space, since the paths are added at its end');
        }
    }

    public static function apiKey(string $apiKey): void
    {
        $expected = "apiKey: expected the website's API key";
        if ($apiKey === '') {
            throw new InvalidArgumentException("$expected, got an empty string. Is its variable set?");
        }
        if (preg_match('/^(bearer|basic|authorization:?)\s/i', $apiKey) === 1) {
            $words = 'remove "Bearer", "Basic" or "Authorization:"';
            throw new InvalidArgumentException("$expected alone, got a word in front of it: $words");
        }
        if (preg_match('/^[!-~]+$/D', $apiKey) !== 1) {
            throw new InvalidArgumentException("$expected, got white space or characters that no key has");
        }
    }

    /** Reads the option, or else the environment. A variable that is set to nothing is not set. */
    public static function release(?string $option): ?string
    {
        if ($option !== null) {
            return self::checkRelease('release', $option);
        }
        $variable = trim((string) getenv('TRACKSIDE_RELEASE'));
        return $variable === '' ? null : self::checkRelease('TRACKSIDE_RELEASE', $variable);
    }

    private static function checkRelease(string $name, string $value): string
    {
        $release = trim($value);
        // It is sent as a header.
        if (preg_match('/^[ -~]{1,64}$/D', $release) !== 1) {
            throw new InvalidArgumentException(
                "$name: expected 1 to 64 printable ASCII characters, such as a version or a commit"
            );
        }
        return $release;
    }
}
