<?php

declare(strict_types=1);

namespace Trackside;

use JsonException;
use Throwable;

/**
 * Sends page views and events.
 *
 * PHP has no background threads. What is tracked is sent after the response, in the same process, and what
 * fails waits in a folder for a later request.
 */
final class Client implements Tracker
{
    /** The most that the server reads. */
    private const MAX_BODY_BYTES = 512 * 1024;
    /** A program waits for this. If the server asks for more time, the program has to send it later. */
    private const LONGEST_WAIT = 30.0;
    private const UNAUTHORIZED_WAIT = 60.0;
    /** A request may track this many, however little the spool may hold. */
    private const ALWAYS_TAKEN = 100;

    private readonly Sender $sender;
    private readonly Spool $spool;
    /** @var callable(Fault): void */
    private $onError;
    /** @var list<array<string, mixed>> */
    private array $waiting = [];
    private int $waitingBytes = 0;
    private bool $isRegistered = false;

    /**
     * @param string $url of Trackside
     * @param string $apiKey of the website; it stays on the server
     * @param ?string $spool a folder of this user alone; below the system's temporary folder if left out
     * @param float $timeout of one attempt after the response, in seconds
     * @param float $budget for everything after the response, where the response is already sent
     * @param ?callable(Fault): void $onError gets the same fault once a minute; writes to PHP's log if left out
     * @param ?string $release the version of your program: 1 to 64 printable ASCII characters. The environment's
     *     TRACKSIDE_RELEASE if left out
     */
    public function __construct(
        string $url,
        string $apiKey,
        ?string $spool = null,
        private readonly float $timeout = 2.0,
        private readonly float $budget = 5.0,
        private readonly int $retries = 3,
        private readonly int $maxRecords = 10_000,
        private readonly int $maxBytes = 64 * 1024 * 1024,
        float $maxAge = 24 * 60 * 60.0,
        ?callable $onError = null,
        ?Transport $transport = null,
        ?string $release = null,
    ) {
        Checks::url($url);
        Checks::apiKey($apiKey);
        $transport ??= new SocketTransport();
        $this->sender = new Sender(rtrim($url, '/'), $apiKey, $transport, Checks::release($release));
        $user = function_exists('posix_geteuid') ? posix_geteuid() : get_current_user();
        $folder = $spool ?? sys_get_temp_dir() . '/trackside-' . substr(hash('sha256', "$user $url $apiKey"), 0, 16);
        $random = static fn (): float => random_int(0, 1_000_000) / 1_000_000;
        $this->spool = new Spool($folder, $maxRecords, $maxBytes, $maxAge, $random);
        $this->onError = $onError ?? static function (Fault $fault): void {
            error_log("Trackside: $fault->kind: $fault->message");
        };
    }

    /**
     * Takes a page view and returns at once. Never throws.
     *
     * @param array<string, mixed> $metrics with the interface's names
     */
    public function trackPageView(array $metrics): void
    {
        $this->track('/api/page-view', ['Metrics' => $metrics]);
    }

    /**
     * Takes an event and returns at once. Never throws.
     *
     * @param array<int|string, mixed> $parameters `['plan' => 'pro']`, or the interface's list
     * @param array<string, mixed> $metrics
     */
    public function trackEvent(string $name, array $parameters, array $metrics): void
    {
        $this->track('/api/event-view', self::eventBody($name, $parameters, $metrics));
    }

    /**
     * Sends a page view and waits for the answer.
     *
     * @param array<string, mixed>|object|null $metrics
     */
    public function pageView(mixed $metrics): Result
    {
        return $this->deliver('/api/page-view', ['Metrics' => $metrics]);
    }

    /** Sends an event and waits for the answer. */
    public function event(mixed $name, mixed $parameters, mixed $metrics): Result
    {
        return $this->deliver('/api/event-view', self::eventBody($name, $parameters, $metrics));
    }

    /**
     * Sends what was tracked in this request, and what earlier ones left, for at most this many seconds.
     * Called automatically after the response. Returns how many records are left in the spool.
     */
    public function flush(?float $budget = null): int
    {
        try {
            $this->sendAll(microtime(true) + ($budget ?? $this->budget));
        } catch (Throwable $cause) {
            $this->tell(new Fault('unexpected', 'Expected to send the records, got an exception.', $cause));
        }
        return $this->spool->count();
    }

    private function track(string $path, array $body): void
    {
        try {
            $record = self::makeRecord($path, $body);
            if ($record instanceof Result) {
                $this->tell(new Fault($record->kind, $record->message));
                return;
            }
            $count = count($this->waiting);
            $bytes = $this->waitingBytes + strlen($record['body']);
            if ($count >= self::ALWAYS_TAKEN && ($count >= $this->maxRecords || $bytes > $this->maxBytes)) {
                $this->tell(new Fault('queue-full', 'Expected room in memory, got too many records that this script '
                    . 'has tracked: call flush() more often, or raise maxRecords and maxBytes.'));
                return;
            }
            $this->waiting[] = $record;
            $this->waitingBytes = $bytes;
            if (!$this->isRegistered) {
                $this->isRegistered = true;
                // Registered twice, so that it runs after what the application itself registers.
                register_shutdown_function(fn () => register_shutdown_function($this->finish(...)));
            }
        } catch (Throwable $cause) {
            $this->tell(new Fault('unexpected', 'Expected to take the record, got an exception.', $cause));
        }
    }

    /** Sends the response first, where the server lets PHP do so. Elsewhere the budget is smaller. */
    private function finish(): void
    {
        ignore_user_abort(true);
        if (session_status() === PHP_SESSION_ACTIVE) {
            // Another request of this visitor would wait for the session.
            session_write_close();
        }
        $isSent = match (true) {
            function_exists('fastcgi_finish_request') => fastcgi_finish_request(),
            function_exists('litespeed_finish_request') => litespeed_finish_request(),
            default => false,
        };
        $this->flush($isSent ? $this->budget : min(1.0, $this->budget));
    }

    private function sendAll(float $deadline): void
    {
        $tell = $this->tell(...);
        while ($this->waiting !== []) {
            $record = array_shift($this->waiting);
            $this->waitingBytes -= strlen($record['body']);
            $now = microtime(true);
            if ($now < $deadline && $this->spool->isOpen($now)) {
                $record['attempts']++;
                $record = Late::date($record, $now);
                $record = Spool::judge($record, $this->send($record, $deadline), $now, $tell);
            }
            $fault = $record === null ? null : $this->spool->keep($record);
            if ($fault !== null) {
                $this->tell($fault);
            }
        }
        if ($this->spool->isOpen(microtime(true))) {
            $this->spool->drain(fn (array $record): Result => $this->send($record, $deadline), $tell, $deadline);
        }
    }

    /** @param array<string, mixed> $record */
    private function send(array $record, float $deadline): Result
    {
        $timeout = max(0.05, min($this->timeout, $deadline - microtime(true)));
        ['key' => $key, 'path' => $path, 'attempts' => $number] = $record;
        $result = $this->sender->send($key, $path, Late::body($record), $number, $timeout);
        if ($result->kind === 'unavailable' || $result->kind === 'unauthorized') {
            $asked = $result->kind === 'unauthorized' ? self::UNAUTHORIZED_WAIT : $result->retryAfter;
            $this->spool->noteFailure($asked, microtime(true));
        } else {
            $this->spool->noteAnswer();
        }
        return $result;
    }

    private function deliver(string $path, array $body): Result
    {
        $record = self::makeRecord($path, $body);
        if ($record instanceof Result) {
            return $record;
        }
        for ($failures = 1;; $failures++) {
            $result = $this->attempt($record);
            $asked = $result->retryAfter ?? 0.0;
            if (!$result->isTransient || $failures > $this->retries || $asked > self::LONGEST_WAIT) {
                return $result;
            }
            $limit = 0.25 * 2 ** ($failures - 1);
            usleep((int) (($asked + random_int(0, 1000) / 1000 * $limit) * 1_000_000));
        }
    }

    /**
     * Sends the record once more, or twice if the server refuses its time.
     *
     * @param array<string, mixed> $record
     */
    private function attempt(array &$record): Result
    {
        $now = microtime(true);
        $record['attempts']++;
        $record = Late::date($record, $now);
        $body = Late::body($record);
        $result = $this->sender->send($record['key'], $record['path'], $body, $record['attempts'], $this->timeout);
        if ($result->isUncertain) {
            $record['uncertainSince'] ??= $now;
        }
        if (!Late::isTimeRefused($record, $result)) {
            return $result;
        }
        // A clock is wrong. The record is not lost, but counts when it arrives.
        $record['isTimeRefused'] = true;
        return $this->attempt($record);
    }

    private function tell(Fault $fault): void
    {
        try {
            if ($this->spool->isNews($fault)) {
                ($this->onError)($fault);
            }
        } catch (Throwable) {
            // A program's own function that fails must not become the problem of any request.
        }
    }

    /** @return array<string, mixed> */
    private static function eventBody(mixed $name, mixed $parameters, mixed $metrics): array
    {
        if (is_array($parameters) && !array_is_list($parameters)) {
            $given = array_filter($parameters, static fn (mixed $value): bool => $value !== null);
            $parameters = array_map(
                static fn (int|string $each, mixed $value): array
                    => ['Name' => (string) $each, 'Value' => Collected::toText($value)],
                array_keys($given),
                array_values($given)
            );
        }
        return ['Name' => $name, 'Parameters' => $parameters, 'Metrics' => $metrics];
    }

    /**
     * @param array<string, mixed> $body
     * @return array{key: string, path: string, body: string, trackedAt: float, uncertainSince: ?float, attempts: int, refusals: int}|Result
     */
    private static function makeRecord(string $path, array $body): array|Result
    {
        if (is_array($body['Metrics'])) {
            // An empty array would be written as a list, and these are objects.
            $body['Metrics'] = (object) array_map(
                static fn (mixed $member): mixed => $member === [] ? (object) [] : $member,
                $body['Metrics']
            );
        }
        try {
            $flags = JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_SLASHES;
            $text = json_encode($body, $flags);
        } catch (JsonException) {
            return new Result('malformed', 400, 'Body: expected values that JSON can hold, got others');
        }
        if (strlen($text) > self::MAX_BODY_BYTES) {
            $most = self::MAX_BODY_BYTES;
            return new Result('malformed', 400, "Body: expected at most $most bytes, got more");
        }
        return [
            'key' => self::newKey(),
            'path' => $path,
            'body' => $text,
            'trackedAt' => microtime(true),
            'uncertainSince' => null,
            'attempts' => 0,
            'refusals' => 0,
        ];
    }

    /** Returns a random UUID. */
    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
