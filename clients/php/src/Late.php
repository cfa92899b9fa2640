<?php

declare(strict_types=1);

namespace Trackside;

/**
 * The time that a record is sent with if it had to wait. Only the wall clock is known to all processes that may
 * send it.
 */
final class Late
{
    /** Sooner than that, the time of arrival says the same. */
    private const WORTH_TELLING = 5.0;
    /**
     * The server takes records of the last 25 hours, unless it is configured otherwise. The hour is for repeats,
     * which must not change anymore.
     */
    private const LONGEST_TELLABLE = 24 * 60 * 60.0;

    /**
     * Chooses the time that the record is sent with now. What the server may have is repeated byte for byte.
     *
     * @param array<string, mixed> $record
     * @return array<string, mixed>
     */
    public static function date(array $record, float $now): array
    {
        if (!isset($record['uncertainSince'])) {
            $waited = $now - $record['trackedAt'];
            $isTold = $waited > self::WORTH_TELLING && $waited <= self::LONGEST_TELLABLE;
            $record['occurredAt'] = $isTold && !($record['isTimeRefused'] ?? false) ? $record['trackedAt'] : null;
        }
        return $record;
    }

    /**
     * Returns the body with the time at its end.
     *
     * @param array<string, mixed> $record
     */
    public static function body(array $record): string
    {
        if (!isset($record['occurredAt'])) {
            return $record['body'];
        }
        $millis = (int) round($record['occurredAt'] * 1000);
        $time = gmdate('Y-m-d\TH:i:s', intdiv($millis, 1000)) . sprintf('.%03dZ', $millis % 1000);
        return substr($record['body'], 0, -1) . ",\"OccurredAt\":\"$time\"}";
    }

    /**
     * Returns whether the server refuses the record because of its time, and it can be sent without.
     *
     * @param array<string, mixed> $record
     */
    public static function isTimeRefused(array $record, Result $result): bool
    {
        return isset($record['occurredAt'])
            && !isset($record['uncertainSince'])
            && $result->kind === 'malformed'
            && str_starts_with($result->message, 'OccurredAt:');
    }

    public static function timeRefused(Result $result): Fault
    {
        return new Fault('time-refused', 'Expected Trackside to accept the time at which the record was tracked, got a '
            . "refusal ($result->message): check this machine's clock. The record is sent without the time, so it "
            . 'counts when it arrives.');
    }
}
