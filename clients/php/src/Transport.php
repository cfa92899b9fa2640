<?php

declare(strict_types=1);

namespace Trackside;

/** Sends requests. A framework with its own HTTP client can provide it. */
interface Transport
{
    /**
     * Posts a body, follows no redirect, sends nothing twice, and never takes longer than the timeout.
     *
     * @param array<string, string> $headers
     * @return array{int, array<string, string>, string} status, headers by lower-case name, and body
     * @throws NoAnswer
     */
    public function post(string $url, array $headers, string $body, float $timeout): array;
}
