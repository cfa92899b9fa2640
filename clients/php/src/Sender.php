<?php

declare(strict_types=1);

namespace Trackside;

/** Sends one record, and says what the answer means. Never throws. */
final class Sender
{
    private const MAX_ANSWER_BYTES = 16 * 1024;
    private const MAX_MESSAGE_LENGTH = 1000;

    public function __construct(
        private readonly string $url,
        private readonly string $apiKey,
        private readonly Transport $transport,
        private readonly ?string $release = null,
    ) {
    }

    /** Sends with the record's own key, which is the same in all attempts. Their numbers begin with 1. */
    public function send(string $key, string $path, string $body, int $number, float $timeout): Result
    {
        $headers = [
            'Authorization' => $this->apiKey,
            'Content-Type' => 'application/json',
            'Idempotency-Key' => $key,
            // With a first attempt, the server doesn't have to ask others.
            'Trackside-Attempt' => (string) $number,
        ] + ($this->release === null ? [] : ['Trackside-Release' => $this->release]);
        try {
            [$status, $answered, $text] = $this->transport->post($this->url . $path, $headers, $body, $timeout);
        } catch (NoAnswer $fault) {
            $message = "Expected an answer from Trackside, got {$fault->getMessage()}: "
                . "check that it's running and that the URL is correct.";
            return new Result('unavailable', 0, $message, null, true, $fault->isReached);
        }
        return $this->readAnswer($status, $answered, $text);
    }

    /** @param array<string, string> $headers by lower-case name */
    private function readAnswer(int $status, array $headers, string $text): Result
    {
        $wait = self::readRetryAfter($headers['retry-after'] ?? null);
        // The server may count the record all the same.
        $isUncertain = ($headers['trackside-outcome'] ?? null) === 'unknown';
        $answer = strlen($text) > self::MAX_ANSWER_BYTES ? null : json_decode($text, true);
        $code = is_array($answer) ? $answer['Code'] ?? null : null;
        $message = is_array($answer) ? $answer['Message'] ?? null : null;
        $isStranger = !is_int($code) || !is_string($message) || $code === 200 && ($status < 200 || $status > 299);
        if ($isStranger) {
            return self::judgeStranger($status, $wait);
        }
        // Whatever is at that address could send the key back to us, and messages end up in logs.
        $message = Text::cut(str_replace($this->apiKey, '[API key]', $message), self::MAX_MESSAGE_LENGTH);
        return match ($code) {
            200 => new Result('accepted', 200, $message),
            400 => new Result('malformed', 400, $message),
            401 => new Result('unauthorized', 401, $message),
            429 => new Result('contingent-used-up', 429, $message, $wait ?? self::secondsToNextMonth()),
            404, 405 => new Result('unavailable', $code, self::wrongUrl($code)),
            default => new Result('unavailable', $code, $message, $wait, self::isTransient($code), $isUncertain),
        };
    }

    /** Something other than Trackside answered: a proxy in front of it, or whatever is at that address. */
    private static function judgeStranger(int $status, ?float $wait): Result
    {
        $message = match (true) {
            $status === 404, $status === 405 => self::wrongUrl($status),
            $status >= 300 && $status < 400 => "Expected an answer from Trackside, got the redirect $status. "
                . 'It is not followed, because the API key would be sent along: set the URL to the final address.',
            $status < 300 => "Expected an answer from Trackside, got status $status from something else: "
                . 'check that the URL is the address of Trackside.',
            default => "Expected an answer from Trackside, got status $status from something in front of it: "
                . 'check the proxy or firewall in between.',
        };
        // A gateway's 5xx can come after the server has counted the record.
        $isUncertain = $status >= 500 || $status >= 200 && $status < 300;
        return new Result('unavailable', $status, $message, $wait, self::isTransient($status), $isUncertain);
    }

    private static function wrongUrl(int $status): string
    {
        return "Expected an answer from Trackside, got status $status: check that the URL is the address of "
            . 'Trackside, without /api/page-view.';
    }

    private static function isTransient(int $status): bool
    {
        return $status >= 500 || in_array($status, [408, 425, 429], true);
    }

    private static function readRetryAfter(?string $value): ?float
    {
        if ($value === null || preg_match('/^\d{1,15}$/D', $value) === 1) {
            return $value === null ? null : (float) $value;
        }
        $date = strtotime($value);
        return $date === false ? null : max(0.0, (float) $date - microtime(true));
    }

    private static function secondsToNextMonth(): float
    {
        return (float) gmmktime(0, 0, 0, (int) gmdate('n') + 1, 1, (int) gmdate('Y')) - microtime(true);
    }
}
