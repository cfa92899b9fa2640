<?php

declare(strict_types=1);

// The client's own tests, without a framework: each is a sentence and a function that throws.

use Trackside\Client;
use Trackside\Fault;
use Trackside\Handler;
use Trackside\Late;
use Trackside\NoAnswer;
use Trackside\Proxies;
use Trackside\Request;
use Trackside\Result;
use Trackside\Sender;
use Trackside\Spool;
use Trackside\Text;
use Trackside\Tracker;
use Trackside\Transport;

require __DIR__ . '/../autoload.php';

/** Answers with what it is given, one after the other, and keeps what was sent. */
final class Answers implements Transport
{
    /** @var list<array{url: string, headers: array<string, string>, body: string}> */
    public array $sent = [];

    /** @param list<array{int, array<string, string>, string}|NoAnswer> $answers the last one is repeated */
    public function __construct(private array $answers)
    {
    }

    public function post(string $url, array $headers, string $body, float $timeout): array
    {
        $this->sent[] = compact('url', 'headers', 'body');
        $answer = count($this->answers) > 1 ? array_shift($this->answers) : $this->answers[0];
        return $answer instanceof NoAnswer ? throw $answer : $answer;
    }
}

final class Folder
{
    public readonly string $path;

    public function __construct()
    {
        $this->path = sys_get_temp_dir() . '/trackside-test-' . bin2hex(random_bytes(8));
    }

    public function __destruct()
    {
        array_map('unlink', glob("$this->path/*") ?: []);
        @rmdir($this->path);
    }
}

function expect(mixed $expected, mixed $got): void
{
    if ($expected !== $got) {
        throw new RuntimeException('expected ' . json_encode($expected) . ', got ' . json_encode($got));
    }
}

const ACCEPTED = [200, [], '{"Code":200,"Message":"Success"}'];
const AWAY = [503, ['retry-after' => '0'], '{"Code":503,"Message":"Later"}'];

function makeSpool(Folder $folder, int $maxRecords = 3): Spool
{
    return new Spool($folder->path, $maxRecords, 1000, 86400.0, static fn (): float => 1.0);
}

/** @return array<string, mixed> */
function makeRecord(string $key, float $trackedAt, ?float $uncertainSince = null): array
{
    return ['key' => $key, 'path' => '/api/page-view', 'body' => '{"Metrics":{}}', 'refusals' => 0]
        + compact('trackedAt', 'uncertainSince');
}

$accept = static fn (): Result => new Result('accepted', 200, 'Success');
$silent = static function (): void {
};

$tests = [
    'doubles the delay up to 30 seconds' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $now = 1000.0;
        foreach ([0.25, 0.5, 1, 2, 4, 8, 16, 30, 30] as $delay) {
            $spool->noteFailure(null, $now);
            expect(false, $spool->isOpen($now + $delay - 0.01));
            expect(true, $spool->isOpen($now + $delay));
        }
        $spool->noteAnswer();
        expect(true, $spool->isOpen($now));
    },
    'waits as long as the server asks, but no more than five minutes' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $spool->noteFailure(20.0, 1000.0);
        expect([false, true], [$spool->isOpen(1020.0), $spool->isOpen(1020.25)]);
        $spool->noteFailure(100_000.0, 2000.0);
        expect([false, true], [$spool->isOpen(2300.0), $spool->isOpen(2300.5)]);
    },
    'forgets a pause that began before the clock was set back' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $spool->noteFailure(300.0, 10_000.0);
        expect([false, true], [$spool->isOpen(10_000.0), $spool->isOpen(9_000.0)]);
    },
    'reports a fault again that was reported before the clock was set back' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $fault = new Fault('spool', 'Expected more');
        expect([true, false], [$spool->isNews($fault), $spool->isNews($fault)]);
        touch(glob("$folder->path/told-*")[0], time() + 3600);
        expect([true, false], [$spool->isNews($fault), $spool->isNews($fault)]);
    },
    'drops what finds no room' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder, maxRecords: 2);
        $kept = array_map(static fn (string $key): ?string => $spool->keep(makeRecord($key, 1.0))?->kind, ['a', 'b', 'c']);
        expect([null, null, 'queue-full'], $kept);
    },
    'looks into a spool of many records once a second' => static function (): void {
        $folder = new Folder();
        mkdir($folder->path, 0700, true);
        $spool = makeSpool($folder, maxRecords: 502);
        $leave = static function (int $records) use ($folder): void {
            array_map('unlink', glob("$folder->path/*.json"));
            for ($n = 0; $n < $records; $n++) {
                touch("$folder->path/$n.json");
            }
        };
        $keep = static fn (string $key): ?string => $spool->keep(makeRecord($key, microtime(true)))?->kind;
        $leave(500);
        expect([null, null, 'queue-full'], [$keep('a'), $keep('b'), $keep('c')]);
        $leave(0);
        $listed = static function (float $at) use ($folder): void {
            file_put_contents("$folder->path/taken", json_encode(['records' => 502, 'bytes' => 0, 'listedAt' => $at]));
        };
        $listed(microtime(true));
        expect('queue-full', $keep('d'));
        $listed(microtime(true) - 1);
        expect(null, $keep('e'));
        // The clock was set back.
        $listed(microtime(true) + 3600);
        expect(null, $keep('f'));
        file_put_contents("$folder->path/taken", 'damaged');
        expect(null, $keep('g'));
        $listed(microtime(true));
        $accept = static fn (): Result => new Result('accepted', 200, 'Success');
        $spool->drain($accept, static fn () => null, microtime(true) + 60);
        expect([null, 1], [$keep('h'), $spool->count()]);
    },
    'drops what finds no room in memory until it is flushed' => static function (): void {
        foreach ([[120, ['maxRecords' => 120]], [100, ['maxBytes' => 1]]] as [$room, $limits]) {
            $folder = new Folder();
            $answers = new Answers([ACCEPTED]);
            $kinds = [];
            $onError = static function (Fault $fault) use (&$kinds): void {
                $kinds[] = $fault->kind;
            };
            $client = new Client('http://127.0.0.1:1', 'key', $folder->path, ...$limits, transport: $answers, onError: $onError);
            foreach ([$room, 2 * $room] as $sent) {
                for ($n = 0; $n < 150; $n++) {
                    $client->trackPageView([]);
                }
                $client->flush();
                expect([$sent, ['queue-full']], [count($answers->sent), $kinds]);
            }
        }
    },
    'sends the oldest first, and each once' => static function () use ($silent): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $now = microtime(true);
        foreach (['b' => 2.0, 'a' => 3.0, 'c' => 1.0] as $key => $ago) {
            $spool->keep(makeRecord($key, $now - $ago));
        }
        $keys = [];
        $send = static function (array $record) use (&$keys): Result {
            $keys[] = $record['key'];
            return new Result('accepted', 200, 'Success');
        };
        $spool->drain($send, $silent, $now + 60);
        $spool->drain($send, $silent, $now + 60);
        expect(['a', 'b', 'c'], $keys);
        expect(0, $spool->count());
    },
    'says nothing about a file that is gone when its turn comes' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $now = microtime(true);
        $spool->keep(makeRecord('a', $now - 2));
        $spool->keep(makeRecord('b', $now - 1));
        $kinds = [];
        $send = static function () use ($folder): Result {
            array_map('unlink', glob("$folder->path/*-b.json"));
            return new Result('accepted', 200, 'Success');
        };
        $spool->drain($send, static function (Fault $fault) use (&$kinds): void {
            $kinds[] = $fault->kind;
        }, $now + 60);
        expect([[], 0], [$kinds, $spool->count()]);
    },
    'gives up after 24 hours, and after 55 minutes what may have been counted' => static function () use ($accept): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $now = microtime(true);
        $spool->keep(makeRecord('a', $now - 86401));
        $spool->keep(makeRecord('b', $now - 4000, $now - 3301));
        $spool->keep(makeRecord('c', $now - 4000, $now - 3000));
        $kinds = [];
        $spool->drain($accept, static function (Fault $fault) use (&$kinds): void {
            $kinds[] = $fault->kind;
        }, $now + 60);
        expect(['too-old', 'unknown-outcome'], $kinds);
    },
    'keeps a record while the key is wrong, and drops what is refused' => static function () use ($silent): void {
        $record = makeRecord('a', 1.0);
        expect($record, Spool::judge($record, new Result('unauthorized', 401, 'No'), 1.0, $silent));
        expect(null, Spool::judge($record, new Result('malformed', 400, 'No'), 1.0, $silent));
        expect(null, Spool::judge($record, new Result('contingent-used-up', 429, 'No'), 1.0, $silent));
        for ($refusals = 1; $refusals < 6; $refusals++) {
            $record = Spool::judge($record, new Result('unavailable', 403, 'No'), 1.0, $silent);
            expect($refusals, $record['refusals'] ?? null);
        }
        expect(null, Spool::judge($record, new Result('unavailable', 403, 'No'), 1.0, $silent));
    },
    'knows from the answer that a record may be counted all the same' => static function (): void {
        $answer = static fn (string $outcome): array => [
            503,
            ['trackside-outcome' => $outcome],
            '{"Code":503,"Message":"Later"}',
        ];
        $transport = new Answers([$answer('unknown'), $answer('other'), AWAY]);
        $sender = new Sender('http://127.0.0.1:1', 'key', $transport);
        $send = static fn (): bool => $sender->send('a', '/api/page-view', '{}', 1, 1.0)->isUncertain;
        expect([true, false, false], [$send(), $send(), $send()]);
    },
    'sends what had to wait with its time, and names the release' => static function (): void {
        $folder = new Folder();
        $answers = new Answers([ACCEPTED]);
        $spool = makeSpool($folder);
        $now = microtime(true);
        $spool->keep(['attempts' => 1] + makeRecord('a', 1_768_435_200.25));
        $spool->keep(['attempts' => 1] + makeRecord('b', $now - 60));
        $spool->keep(['attempts' => 1] + makeRecord('c', $now - 60, $now - 30));
        $client = new Client(
            'http://127.0.0.1:1',
            'key',
            $folder->path,
            maxAge: 1e10,
            transport: $answers,
            release: ' 1.4.2 ',
        );
        expect(0, $client->flush());
        $bodies = [];
        foreach ($answers->sent as ['headers' => $headers, 'body' => $body]) {
            $bodies[$headers['Idempotency-Key']] = json_decode($body, true)['OccurredAt'] ?? null;
            expect('1.4.2', $headers['Trackside-Release']);
        }
        // The first is too old for the server, and the third may have been counted without a time.
        expect([null, true, null], [$bodies['a'], is_string($bodies['b']), $bodies['c']]);
        expect(true, abs(strtotime((string) $bodies['b']) - ($now - 60)) < 2);
    },
    'keeps the time of an attempt over a crash' => static function () use ($silent): void {
        $folder = new Folder();
        $now = microtime(true);
        makeSpool($folder)->keep(['attempts' => 1] + makeRecord('a', $now - 60));
        $bodies = [];
        $crash = static function (array $record) use (&$bodies): Result {
            $bodies[] = Late::body($record);
            throw new RuntimeException('killed');
        };
        for ($n = 0; $n < 2; $n++) {
            try {
                makeSpool($folder)->drain($crash, $silent, $now + 60);
            } catch (RuntimeException) {
                // What is left is what was noted before the attempt.
            }
        }
        expect(2, count($bodies));
        expect($bodies[0], $bodies[1]);
        expect(true, str_contains($bodies[0], 'OccurredAt'));
    },
    'sends a record without its time if the server refuses the time' => static function (): void {
        $folder = new Folder();
        makeSpool($folder)->keep(['attempts' => 1] + makeRecord('a', microtime(true) - 60));
        $answers = new Answers([[400, [], '{"Code":400,"Message":"OccurredAt: expected another"}'], ACCEPTED]);
        $kinds = [];
        $client = new Client('http://127.0.0.1:1', 'key', $folder->path, transport: $answers, onError: static function (Fault $fault) use (&$kinds): void {
            $kinds[] = $fault->kind;
        });
        $client->flush();
        expect(0, $client->flush());
        expect(['time-refused'], $kinds);
        expect([true, '{"Metrics":{}}'], [str_contains($answers->sent[0]['body'], 'OccurredAt'), $answers->sent[1]['body']]);
    },
    'does not use a folder that others can read' => static function (): void {
        $folder = new Folder();
        mkdir($folder->path, 0755);
        expect('spool', makeSpool($folder)->keep(makeRecord('a', 1.0))?->kind);
    },
    'keeps one key and the same bytes over all attempts' => static function (): void {
        $folder = new Folder();
        $answers = new Answers([AWAY, new NoAnswer(true), [502, [], '<h1>'], ACCEPTED]);
        $client = new Client('http://127.0.0.1:1', 'key', $folder->path, transport: $answers, onError: fn () => null);
        $client->trackPageView(['Page' => ['Absolute' => 'https://shop.example/'], 'Location' => []]);
        for ($tries = 0; $tries < 400 && count($answers->sent) < 4; $tries++) {
            $client->flush();
            usleep(10_000);
        }
        expect(0, $client->flush());
        expect(4, count($answers->sent));
        expect(1, count(array_unique(array_map(static fn (array $one): string => $one['headers']['Idempotency-Key'], $answers->sent))));
        expect(1, count(array_unique(array_column($answers->sent, 'body'))));
        $numbers = array_map(static fn (array $one): string => $one['headers']['Trackside-Attempt'], $answers->sent);
        expect(['1', '2', '3', '4'], $numbers);
        expect('{"Metrics":{"Page":{"Absolute":"https://shop.example/"},"Location":{}}}', $answers->sent[0]['body']);
    },
    'numbers what it could not send before as a first attempt, and what an earlier version kept as another' =>
        static function () use ($silent): void {
            $folder = new Folder();
            $spool = makeSpool($folder);
            $now = microtime(true);
            $spool->keep(['attempts' => 0] + makeRecord('a', $now - 2));
            $spool->keep(makeRecord('b', $now - 1));
            $numbers = [];
            $spool->drain(static function (array $record) use (&$numbers): Result {
                $numbers[$record['key']] = $record['attempts'];
                return new Result('accepted', 200, 'Success');
            }, $silent, $now + 60);
            expect(['a' => 1, 'b' => 2], $numbers);
        },
    'does not send what it cannot note, unless it was noted before' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $now = microtime(true);
        $spool->keep(['attempts' => 1] + makeRecord('a', $now - 2, $now - 1));
        $spool->keep(['attempts' => 0] + makeRecord('b', $now - 1));
        touch("$folder->path/lock");
        // A folder that others can read is not written to, as a full disk would not be.
        chmod($folder->path, 0755);
        $sent = [];
        $kinds = [];
        $send = static function (array $record) use (&$sent): Result {
            $sent[$record['key']] = $record['attempts'];
            return new Result('accepted', 200, 'Success');
        };
        $spool->drain($send, static function (Fault $fault) use (&$kinds): void {
            $kinds[] = $fault->kind;
        }, $now + 60);
        expect([['a' => 2], ['spool'], 1], [$sent, $kinds, $spool->count()]);
    },
    'leaves no draft behind when a file cannot be replaced' => static function (): void {
        $folder = new Folder();
        mkdir("$folder->path/pause", 0700, true);
        chmod($folder->path, 0700);
        makeSpool($folder)->noteFailure(null, 1000.0);
        expect(["$folder->path/pause"], glob("$folder->path/*"));
        rmdir("$folder->path/pause");
    },
    'deletes old marks of faults and drafts, and no record' => static function (): void {
        $folder = new Folder();
        $spool = makeSpool($folder);
        $spool->keep(makeRecord('a', 1.0));
        $spool->isNews(new Fault('unavailable', 'an old one'));
        touch("$folder->path/2.0-b.json.0a1b2c3d");
        foreach (glob("$folder->path/*") as $file) {
            touch($file, time() - 3700);
        }
        touch("$folder->path/3.0-c.json.0a1b2c3d");
        $spool->isNews(new Fault('unavailable', 'a new one'));
        $names = array_map('basename', glob("$folder->path/*"));
        expect([
            '0000000001.000000-a.json',
            '3.0-c.json.0a1b2c3d',
            'told-' . md5('unavailable: a new one'),
        ], $names);
    },
    'leaves the server alone while it is away' => static function (): void {
        $folder = new Folder();
        $answers = new Answers([[503, ['retry-after' => '60'], '{"Code":503,"Message":"Later"}']]);
        $client = new Client('http://127.0.0.1:1', 'key', $folder->path, transport: $answers, onError: fn () => null);
        for ($n = 0; $n < 3; $n++) {
            $client->trackPageView([]);
            $client->flush();
        }
        expect([1, 3], [count($answers->sent), $client->flush()]);
    },
    'tells the same fault once a minute, over all requests' => static function (): void {
        $folder = new Folder();
        $told = [];
        for ($n = 0; $n < 3; $n++) {
            $client = new Client('http://127.0.0.1:1', 'key', $folder->path, onError: function (Fault $fault) use (&$told): void {
                $told[] = $fault->kind;
                throw new RuntimeException('an onError that fails is ignored');
            });
            $client->trackPageView(['Screen' => NAN]);
        }
        expect(['malformed'], $told);
    },
    'never throws into the request' => static function (): void {
        $broken = new class () implements Tracker {
            public function trackPageView(array $metrics): void
            {
                throw new RuntimeException('broken');
            }

            public function trackEvent(string $name, array $parameters, array $metrics): void
            {
                throw new RuntimeException('broken');
            }
        };
        $kinds = [];
        $fail = static fn () => throw new RuntimeException('broken');
        $onError = static function (Fault $fault) use (&$kinds): void {
            $kinds[] = $fault->kind;
        };
        $handler = new Handler($broken, clientId: $fail, location: [$fail], onError: $onError);
        $request = new Request('GET', 'https', '/', ['Host' => 'shop.example'], '203.0.113.7');
        $handler->count($request, 200, 'text/html');
        $handler->trackEvent('Order', [], $request);
        expect(['callback', 'callback', 'unexpected', 'callback', 'callback', 'unexpected'], $kinds);
    },
    'gives up on a server that never answers' => static function (): void {
        $silent = stream_socket_server('tcp://127.0.0.1:0');
        $folder = new Folder();
        $url = 'http://' . stream_socket_get_name($silent, false);
        $client = new Client($url, 'key', $folder->path, timeout: 0.05, retries: 0, onError: fn () => null);
        expect('unavailable', $client->pageView([])->kind);
        $client->trackPageView([]);
        expect(1, $client->flush());
        fclose($silent);
    },
    'tells of wrong settings at the start' => static function (): void {
        $tracker = new Client('http://127.0.0.1:1', 'key');
        $wrong = [
            static fn () => new Client('trackside.example', 'key'),
            static fn () => new Client('https://user:secret@trackside.example', 'key'),
            static fn () => new Client('https://trackside.example?x', 'key'),
            static fn () => new Client('https://trackside.example', ''),
            static fn () => new Client('https://trackside.example', 'Bearer key'),
            static fn () => new Client('https://trackside.example', 'key', release: ' '),
            static fn () => new Client('https://trackside.example', 'key', release: str_repeat('x', 65)),
            static fn () => new Client('https://trackside.example', 'key', release: "a\nb"),
            static fn () => Proxies::hops(0),
            static fn () => Proxies::networks([]),
            static fn () => Proxies::networks(['10.0.0.0/33']),
            static fn () => Proxies::header('X-Forwarded-For'),
            static fn () => new Handler($tracker, path: 'side'),
            static fn () => new Handler($tracker, language: 'english'),
            static fn () => new Handler($tracker, origins: ['https://shop.example/x']),
        ];
        $refused = 0;
        foreach ($wrong as $make) {
            try {
                $make();
            } catch (InvalidArgumentException) {
                $refused++;
            }
        }
        expect(count($wrong), $refused);
    },
    'writes numbers as a browser does' => static function (): void {
        $numbers = [5.0, 0.1, 1e21, 1.5e-7, 123456.789, -0.0, 1e20, 0.000001];
        $texts = ['5', '0.1', '1e+21', '1.5e-7', '123456.789', '0', '100000000000000000000', '0.000001'];
        expect($texts, array_map(Text::writeNumber(...), $numbers));
    },
];

$failed = 0;
foreach ($tests as $sentence => $test) {
    try {
        $test();
        echo "ok: $sentence\n";
    } catch (Throwable $fault) {
        $failed++;
        echo "FAILED: $sentence: {$fault->getMessage()} ({$fault->getFile()}:{$fault->getLine()})\n";
    }
}
exit($failed === 0 ? 0 : 1);
