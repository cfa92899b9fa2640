<?php

declare(strict_types=1);

// Runs the cases that clients/test gives to every client, and writes the results as JSON.

use Trackside\Client;
use Trackside\Handler;
use Trackside\Late;
use Trackside\Locations;
use Trackside\Proxies;
use Trackside\Request;
use Trackside\Result;
use Trackside\Spool;
use Trackside\Tracker;

require __DIR__ . '/../autoload.php';

/** Stands in for the client, and keeps the record that it gets. */
final class KeptRecord implements Tracker
{
    /** @var ?array<string, mixed> */
    public ?array $record = null;

    public function trackPageView(array $metrics): void
    {
        $this->record = ['path' => '/api/page-view', 'body' => ['Metrics' => $metrics]];
    }

    public function trackEvent(string $name, array $parameters, array $metrics): void
    {
        $body = ['Name' => $name, 'Parameters' => $parameters, 'Metrics' => $metrics];
        $this->record = ['path' => '/api/event-view', 'body' => $body];
    }
}

/** @param array<string, mixed> $settings */
function makeHandler(Tracker $tracker, array $settings): Handler
{
    $proxies = $settings['proxies'] ?? null;
    $sources = [
        'cloudflare' => Locations::cloudflare(...),
        'cloudfront' => Locations::cloudfront(...),
        'netlify' => Locations::netlify(...),
        'vercel' => Locations::vercel(...),
    ];
    return new Handler(
        $tracker,
        proxies: match (true) {
            $proxies === null => null,
            isset($proxies['hops']) => Proxies::hops($proxies['hops'], $proxies['list'] ?? 'x-forwarded-for'),
            isset($proxies['header']) => Proxies::header($proxies['header'], $proxies['networks'] ?? null),
            default => Proxies::networks($proxies['networks'], $proxies['list'] ?? 'x-forwarded-for'),
        },
        location: array_map(
            static fn (string|array $source): callable
                => is_string($source) ? $sources[$source]() : Locations::fromHeaders($source),
            $settings['location'] ?? []
        ),
        language: $settings['language'] ?? 'en',
        origins: $settings['origins'] ?? [],
        respectDoNotTrack: $settings['respectDoNotTrack'] ?? false,
        onError: static function (): void {
        },
    );
}

/**
 * @param array<string, mixed> $case
 * @return array<string, mixed>
 */
function runCase(array $case): array
{
    $given = $case['request'];
    // As PHP's servers present a request.
    $server = [
        'REQUEST_METHOD' => $given['method'],
        'REQUEST_URI' => $given['target'],
        'REMOTE_ADDR' => $given['peer'] ?? '',
    ];
    foreach ($given['headers'] as [$name, $value]) {
        $key = 'HTTP_' . strtoupper(str_replace('-', '_', $name));
        $bytes = (string) iconv('UTF-8', 'ISO-8859-1', $value);
        $server[$key] = isset($server[$key]) ? "$server[$key], $bytes" : $bytes;
    }
    $kept = new KeptRecord();
    $handler = makeHandler($kept, $case['settings']);
    $request = Request::fromGlobals($server);
    if ($case['kind'] === 'endpoint') {
        $status = $handler->answer($request, $given['body'])->status;
        return ['status' => $handler->matches($request) ? $status : null, 'record' => $kept->record];
    }
    $handler->count($request, $case['answer']['status'], $case['answer']['contentType']);
    return ['status' => null, 'record' => $kept->record];
}

/**
 * Returns the body of each attempt.
 *
 * @param array<string, mixed> $case
 * @return list<string>
 */
function runLate(array $case): array
{
    $results = [
        'accepted' => new Result('accepted', 200, 'Success'),
        'time-refused' => new Result('malformed', 400, 'OccurredAt: expected another'),
        'unauthorized' => new Result('unauthorized', 401, 'No'),
        'unavailable' => new Result('unavailable', 503, 'Later', null, true),
        'unknown' => new Result('unavailable', 503, 'Later', null, true, true),
        'no-connection' => new Result('unavailable', 0, 'No', null, true),
        'no-response' => new Result('unavailable', 0, 'No', null, true, true),
    ];
    $record = ['body' => $case['body'], 'trackedAt' => (float) $case['startedAt'], 'refusals' => 0];
    $bodies = [];
    foreach ($case['attempts'] as ['after' => $after, 'clock' => $clock, 'answer' => $answer]) {
        $now = $case['startedAt'] + $after + $clock;
        $record = Late::date($record, $now);
        $bodies[] = Late::body($record);
        $record = Spool::judge($record, $results[$answer], $now, static fn () => null) ?? $record;
    }
    return $bodies;
}

/** @return array<string, mixed> */
function sendRecord(string $url, object $given): array
{
    try {
        $client = new Client($url, $given->apiKey, timeout: 10.0);
    } catch (InvalidArgumentException $fault) {
        return ['thrown' => $fault->getMessage()];
    }
    $body = json_decode($given->body);
    if ($body === null) {
        return ['ruledOut' => json_last_error_msg()];
    }
    if (is_array($body->Metrics)) {
        return ['ruledOut' => 'an array of PHP is an object here'];
    }
    $result = $given->path === '/api/page-view'
        ? $client->pageView($body->Metrics)
        : $client->event($body->Name, $body->Parameters, $body->Metrics);
    return ['kind' => $result->kind, 'code' => $result->code, 'message' => $result->message];
}

/**
 * Runs PHP's own server with the website beside this file, until the input ends.
 *
 * @param array<string, mixed> $given
 */
function serve(array $given): void
{
    $folder = sys_get_temp_dir() . '/trackside-php-' . bin2hex(random_bytes(8));
    mkdir($folder, 0700);
    $probe = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr((string) strrchr((string) stream_socket_get_name($probe, false), ':'), 1);
    fclose($probe);
    $environment = [
        'SHOP_GIVEN' => json_encode($given),
        'SHOP_FOLDER' => $folder,
    ] + getenv();
    $command = [PHP_BINARY, '-S', "127.0.0.1:$port", __DIR__ . '/shop.php'];
    $process = proc_open($command, [['pipe', 'r'], ['file', "$folder/out", 'w'], ['file', "$folder/err", 'w']], $pipes, $folder, $environment);
    for ($tries = 0; $tries < 500 && ($socket = @stream_socket_client("tcp://127.0.0.1:$port")) === false; $tries++) {
        usleep(20_000);
    }
    fclose($socket);
    echo json_encode(['port' => $port]), "\n";
    stream_get_contents(STDIN);
    $counts = @file("$folder/counts", FILE_IGNORE_NEW_LINES) ?: [];
    $faults = @file("$folder/faults", FILE_IGNORE_NEW_LINES) ?: [];
    $remaining = count(glob("$folder/spool/*.json") ?: []);
    proc_terminate($process);
    proc_close($process);
    array_map('unlink', array_merge(glob("$folder/spool/*") ?: [], array_filter(glob("$folder/*") ?: [], 'is_file')));
    @rmdir("$folder/spool");
    rmdir($folder);
    $said = array_count_values($counts);
    echo json_encode(['remaining' => $remaining, 'faults' => $faults, 'counts' => [
        'queued' => $remaining,
        'accepted' => $said['accepted'] ?? 0,
        'refused' => ($said['malformed'] ?? 0) + ($said['contingent-used-up'] ?? 0),
        'dropped' => 0,
        'retried' => $said['unavailable'] ?? 0,
    ]]), "\n";
}

$line = (string) fgets(STDIN);
switch ($argv[1]) {
    case 'cases':
        echo json_encode(['$_SERVER' => array_map(runCase(...), json_decode($line, true))], JSON_THROW_ON_ERROR);
        break;
    case 'late':
        echo json_encode(array_map(runLate(...), json_decode($line, true)), JSON_THROW_ON_ERROR);
        break;
    case 'contract':
        $given = json_decode($line);
        $outcomes = array_map(static fn (object $each): array => sendRecord($given->url, $each), $given->requests);
        echo json_encode($outcomes, JSON_THROW_ON_ERROR);
        break;
    default:
        serve(json_decode($line, true));
}
