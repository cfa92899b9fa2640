<?php

declare(strict_types=1);

namespace Trackside;

/** The outcome of one record, and what it means for the next attempt. */
final class Result
{
    /**
     * @param string $kind accepted, malformed, unauthorized, contingent-used-up or unavailable
     * @param int $code the HTTP status, or 0 if there was no answer
     * @param ?float $retryAfter in seconds
     * @param bool $isTransient whether the same request may get another answer in a moment
     * @param bool $isUncertain whether the record may have been counted although no answer says so
     */
    public function __construct(
        public readonly string $kind,
        public readonly int $code,
        public readonly string $message,
        public readonly ?float $retryAfter = null,
        public readonly bool $isTransient = false,
        public readonly bool $isUncertain = false,
    ) {
    }
}
