<?php

declare(strict_types=1);

namespace Trackside;

/**
 * Keeps what could not be sent in small files, for later requests to send. It also keeps when the server
 * may be asked again, so that all processes wait together.
 *
 * The files hold addresses of visitors, so the folder is its owner's alone.
 */
final class Spool
{
    private const FIRST_BACKOFF = 0.25;
    private const LONGEST_BACKOFF = 30.0;
    private const LONGEST_ASKED = 300.0;
    /** The server remembers a key for an hour. A repeat after that would count twice. */
    private const SAFE_TO_REPEAT = 55 * 60.0;
    private const MAX_REFUSALS = 6;
    /** Seconds, and much longer than a file is written or a fault stays known. */
    private const SWEPT_AFTER = 3600;
    /** So many records, and more, are listed only once a second. */
    private const MANY = 500;
    private const LISTED_FOR = 1.0;

    /** @param callable(): float $random a number from 0 to 1 */
    public function __construct(
        private readonly string $folder,
        private readonly int $maxRecords,
        private readonly int $maxBytes,
        private readonly float $maxAge,
        private $random,
    ) {
    }

    /** Returns whether the server may be asked now. */
    public function isOpen(float $now): bool
    {
        $wait = ($this->readJson("$this->folder/pause")['resumeAt'] ?? 0) - $now;
        // No pause is longer than this, so the clock has been set back since it began.
        return $wait <= 0 || $wait > self::LONGEST_ASKED + self::LONGEST_BACKOFF;
    }

    /** Notes that the server is away, and for how long to leave it alone. */
    public function noteFailure(?float $asked, float $now): void
    {
        $failures = ($this->readJson("$this->folder/pause")['failures'] ?? 0) + 1;
        $limit = min(self::LONGEST_BACKOFF, self::FIRST_BACKOFF * 2 ** min($failures - 1, 20));
        $wait = min($asked ?? 0.0, self::LONGEST_ASKED) + ($this->random)() * $limit;
        $this->writeJson("$this->folder/pause", ['failures' => $failures, 'resumeAt' => $now + $wait]);
    }

    public function noteAnswer(): void
    {
        @unlink("$this->folder/pause");
    }

    /**
     * Keeps a record, or returns the fault that explains its loss.
     *
     * @param array{key: string, path: string, body: string, trackedAt: float, uncertainSince: ?float, attempts: int, refusals: int} $record
     */
    public function keep(array $record): ?Fault
    {
        if (!$this->prepare()) {
            return new Fault('spool', 'Expected a folder that can be written and is its owner\'s alone, got another.');
        }
        $now = microtime(true);
        $taken = $this->taken($now);
        $bytes = strlen($record['body']);
        if ($taken['records'] >= $this->maxRecords || $taken['bytes'] + $bytes > $this->maxBytes) {
            return new Fault('queue-full', 'Expected room in the spool, got too many records already waiting: '
                . "find out why they aren't being sent.");
        }
        // The name sorts by age.
        $name = sprintf('%017.6f-%s.json', $record['trackedAt'], $record['key']);
        if (!$this->writeJson("$this->folder/$name", $record)) {
            return new Fault('spool', 'Expected to write a file into the spool, got an error: the record is lost.');
        }
        if ($taken['records'] >= self::MANY) {
            $size = (int) @filesize("$this->folder/$name");
            $more = ['records' => $taken['records'] + 1, 'bytes' => $taken['bytes'] + $size];
            $this->writeJson("$this->folder/taken", $more + $taken);
        }
        return null;
    }

    /**
     * Hands the oldest records to `send` until one fails, the time is up, or another process does it.
     *
     * @param callable(array<string, mixed>): Result $send
     * @param callable(Fault): void $tell
     */
    public function drain(callable $send, callable $tell, float $deadline): void
    {
        if ($this->files() === []) {
            return;
        }
        $lock = @fopen("$this->folder/lock", 'c');
        if ($lock === false || !flock($lock, LOCK_EX | LOCK_NB)) {
            return;
        }
        // Listed again, because the process that had the lock may have sent some of them.
        foreach ($this->files() as $file) {
            if (microtime(true) >= $deadline || !$this->sendFile($file, $send, $tell)) {
                break;
            }
        }
        // There is more room now.
        @unlink("$this->folder/taken");
        fclose($lock);
    }

    /**
     * Judges a record after an attempt: null if it is settled, or the record to be tried again.
     *
     * @param array<string, mixed> $record
     * @param callable(Fault): void $tell
     * @return ?array<string, mixed>
     */
    public static function judge(array $record, Result $result, float $startedAt, callable $tell): ?array
    {
        if ($result->kind === 'accepted') {
            return null;
        }
        if (Late::isTimeRefused($record, $result)) {
            $tell(Late::timeRefused($result));
            return ['isTimeRefused' => true] + $record;
        }
        $tell(new Fault($result->kind, $result->message));
        if ($result->kind === 'malformed' || $result->kind === 'contingent-used-up') {
            return null;
        }
        if ($result->isUncertain) {
            $record['uncertainSince'] ??= $startedAt;
        }
        // A firewall can refuse one page forever. 404 and 405 are about the URL.
        $isAboutAll = in_array($result->code, [401, 404, 405, 408, 425, 429], true);
        $record['refusals'] += $result->code >= 400 && $result->code < 500 && !$isAboutAll ? 1 : 0;
        if ($record['refusals'] >= self::MAX_REFUSALS) {
            $tell(new Fault('refused-on-the-way', $result->message));
            return null;
        }
        return $record;
    }

    /** Returns whether no process has reported this fault in the last minute. */
    public function isNews(Fault $fault): bool
    {
        // The message of this kind says by how many seconds a clock is wrong.
        $name = $fault->kind === 'time-refused' ? $fault->kind : "$fault->kind: $fault->message";
        $file = "$this->folder/told-" . md5($name);
        clearstatcache(true, $file);
        // A mark that is further ahead was made before the clock was set back.
        if (abs(time() - (int) @filemtime($file)) < 60) {
            return false;
        }
        if ($this->prepare()) {
            @touch($file);
            $this->sweep();
        }
        return true;
    }

    public function count(): int
    {
        return count($this->files());
    }

    /**
     * @param callable(array<string, mixed>): Result $send
     * @param callable(Fault): void $tell
     */
    private function sendFile(string $file, callable $send, callable $tell): bool
    {
        clearstatcache(true, $file);
        if (!is_file($file)) {
            return true;
        }
        $record = $this->readJson($file);
        $now = microtime(true);
        $reason = $record === [] ? 'damaged' : $this->reasonToGiveUp($record, $now);
        if ($reason !== null) {
            @unlink($file);
            $tell(new Fault($reason, 'Expected to deliver the record in time, got no answer: it is not sent again.'));
            return true;
        }
        // Noted before it is sent: if this process dies on the way, the record may have been counted. An earlier
        // version didn't count attempts, and a first attempt can't be told from a later one there.
        $isNoted = isset($record['uncertainSince']) && ($record['attempts'] ?? 0) > 0;
        $record['attempts'] = ($record['attempts'] ?? 1) + 1;
        $record = Late::date($record, $now);
        $noted = ['uncertainSince' => $record['uncertainSince'] ?? $now] + $record;
        if (!$this->writeJson($file, $noted) && !$isNoted) {
            $tell(new Fault('spool', 'Expected to write a file into the spool, got an error: the record waits.'));
            return false;
        }
        $result = $send($record);
        $left = self::judge($record, $result, $now, $tell);
        if ($left === null) {
            @unlink($file);
        } else {
            $this->writeJson($file, $left);
        }
        return $result->kind !== 'unavailable' && $result->kind !== 'unauthorized';
    }

    /** @param array<string, mixed> $record */
    private function reasonToGiveUp(array $record, float $now): ?string
    {
        $isTooOld = $now - $record['trackedAt'] > $this->maxAge;
        if (isset($record['uncertainSince'])) {
            $isUnsafe = $now - $record['uncertainSince'] > self::SAFE_TO_REPEAT;
            return $isTooOld || $isUnsafe ? 'unknown-outcome' : null;
        }
        return $isTooOld ? 'too-old' : null;
    }

    private function prepare(): bool
    {
        if (!is_dir($this->folder)) {
            @mkdir($this->folder, 0700, true);
        }
        clearstatcache(true, $this->folder);
        $isOurs = !function_exists('posix_geteuid') || @fileowner($this->folder) === posix_geteuid();
        $isPrivate = DIRECTORY_SEPARATOR === '\\' || ((int) @fileperms($this->folder) & 0077) === 0;
        return is_dir($this->folder) && !is_link($this->folder) && $isOurs && $isPrivate;
    }

    /** Deletes the marks of faults that may be reported again, and what a process left that died while writing. */
    private function sweep(): void
    {
        $marks = glob("$this->folder/told-*") ?: [];
        $drafts = glob("$this->folder/*." . str_repeat('[0-9a-f]', 8)) ?: [];
        foreach ([...$marks, ...$drafts] as $file) {
            if (@filemtime($file) < time() - self::SWEPT_AFTER) {
                @unlink($file);
            }
        }
    }

    /**
     * Returns how much room is taken. Many records are listed at most once a second, because 10,000 take 25 ms.
     * Meanwhile, records that two processes keep at the same moment may count as one.
     *
     * @return array{records: int, bytes: int, listedAt: float}
     */
    private function taken(float $now): array
    {
        $known = $this->readJson("$this->folder/taken");
        $age = $now - ($known['listedAt'] ?? 0);
        if (isset($known['records'], $known['bytes']) && $age >= 0 && $age < self::LISTED_FOR) {
            return $known;
        }
        $files = $this->files();
        $bytes = array_sum(array_map(static fn (string $file): int => (int) @filesize($file), $files));
        $listed = ['records' => count($files), 'bytes' => $bytes, 'listedAt' => $now];
        if (count($files) >= self::MANY) {
            $this->writeJson("$this->folder/taken", $listed);
        }
        return $listed;
    }

    /** @return list<string> from the oldest to the newest */
    private function files(): array
    {
        return glob("$this->folder/*.json") ?: [];
    }

    /** @return array<string, mixed> */
    private function readJson(string $file): array
    {
        $value = is_file($file) ? json_decode((string) @file_get_contents($file), true) : null;
        return is_array($value) ? $value : [];
    }

    /** @param array<string, mixed> $value */
    private function writeJson(string $file, array $value): bool
    {
        if (!$this->prepare()) {
            return false;
        }
        // Renamed once it is complete, so that nobody reads half of it.
        $draft = "$file." . bin2hex(random_bytes(4));
        $text = (string) json_encode($value, JSON_PRESERVE_ZERO_FRACTION);
        if (@file_put_contents($draft, $text) === strlen($text) && @rename($draft, $file)) {
            return true;
        }
        @unlink($draft);
        return false;
    }
}
