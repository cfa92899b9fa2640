<?php

declare(strict_types=1);

// The plugin's tests, on a stand-in for the parts of WordPress that it calls.

use Trackside\NoAnswer;
use Trackside\WordPress\PageCache;
use Trackside\WordPress\Plugin;
use Trackside\WordPress\SettingsPage;
use Trackside\WordPress\WordPressTransport;

require __DIR__ . '/stubs.php';
require __DIR__ . '/../trackside/trackside.php';

function expect(mixed $expected, mixed $got): void
{
    if ($expected !== $got) {
        throw new RuntimeException('expected ' . json_encode($expected) . ', got ' . json_encode($got));
    }
}

/**
 * @param array<string, mixed> $given
 * @return list<array<string, mixed>>
 */
function visit(array $given): array
{
    $command = [PHP_BINARY, __DIR__ . '/visit.php', json_encode($given)];
    $process = proc_open($command, [1 => ['pipe', 'w'], 2 => STDERR], $pipes);
    $output = stream_get_contents($pipes[1]);
    expect(0, proc_close($process));
    return json_decode((string) $output, true, 512, JSON_THROW_ON_ERROR);
}

$tests = [
    'counts a page after it is sent' => static function (): void {
        [$sent] = visit(['server' => ['HTTP_ACCEPT_LANGUAGE' => 'fil-PH']]);
        expect('https://trackside.example/api/page-view', $sent['url']);
        $metrics = $sent['body']['Metrics'];
        expect('https://shop.example/shoes?size=42', $metrics['Page']['Absolute']);
        expect(['203.0.113.7', 'de'], [$metrics['Browser']['IP'], $metrics['Language']['Code']]);
    },
    'leaves out editors, feeds, previews, prefetches and its own probe' => static function (): void {
        foreach (['editor', 'feed', 'preview'] as $what) {
            expect([], visit(['is' => [$what => true]]));
        }
        expect([], visit(['server' => ['HTTP_SEC_PURPOSE' => 'prefetch']]));
        expect([], visit(['server' => ['HTTP_X_TRACKSIDE_PROBE' => '1']]));
    },
    'counts nothing while a setting is missing, and nothing fails' => static function (): void {
        expect([], visit(['settings' => ['proxy' => '10.0.0.0/99']]));
    },
    'reads the visitor behind a proxy' => static function (): void {
        $server = ['REMOTE_ADDR' => '10.0.0.1', 'HTTP_X_FORWARDED_FOR' => '198.51.100.66, 203.0.113.9'];
        $header = ['REMOTE_ADDR' => '10.0.0.1', 'HTTP_CF_CONNECTING_IP' => '203.0.113.9', 'HTTP_CF_IPCOUNTRY' => 'T1'];
        foreach ([['1', $server], ['private', $server], ['cf-connecting-ip', $header]] as [$proxy, $given]) {
            [$sent] = visit(['settings' => ['proxy' => $proxy, 'location' => 'cloudflare'], 'server' => $given]);
            expect('203.0.113.9', $sent['body']['Metrics']['Browser']['IP']);
            expect(null, $sent['body']['Metrics']['Location']['CountryCode']);
        }
    },
    'records events of themes and other plugins' => static function (): void {
        $sent = visit(['event' => ['Order paid', ['total' => 44]], 'is' => ['feed' => true]]);
        expect(['Order paid', [['Name' => 'total', 'Value' => '44']]], [$sent[0]['body']['Name'], $sent[0]['body']['Parameters']]);
    },
    'says which page cache prevents counting' => static function (): void {
        expect(['WP Rocket'], PageCache::findPlugins(static fn (string $name): bool => in_array($name, ['WP_CACHE', 'WP_ROCKET_VERSION'], true)));
        expect(['advanced-cache.php (WP_CACHE is set)'], PageCache::findPlugins(static fn (string $name): bool => $name === 'WP_CACHE'));
        expect([], PageCache::findPlugins(static fn (): bool => false));
        expect('cf-cache-status: HIT', PageCache::findHit(['cf-cache-status' => 'HIT']));
        expect('x-cache: hit from edge', PageCache::findHit(['x-cache' => 'hit from edge']));
        expect('age: 12', PageCache::findHit(['age' => '12']));
        foreach ([[], ['age' => '0'], ['cf-cache-status' => 'DYNAMIC'], ['x-cache' => 'MISS']] as $headers) {
            expect(null, PageCache::findHit($headers));
        }
    },
    'warns about a cache in front of WordPress, and looks once an hour' => static function (): void {
        site()->options['trackside_settings'] = ['url' => 'https://trackside.example', 'apiKey' => 'key'];
        $answer = ['code' => 200, 'headers' => ['X-Cache' => 'HIT'], 'body' => ''];
        site()->answers = [$answer, $answer];
        $page = new SettingsPage(new Plugin());
        expect(1, count($page->problems()));
        expect(true, str_contains($page->problems()[0], 'kept copy of the home page (x-cache: HIT)'));
        expect(2, count(site()->sent));
    },
    'says what is wrong with the settings' => static function (): void {
        site()->transients = ['trackside_page_cache' => ''];
        site()->options['trackside_settings'] = ['url' => 'trackside.example', 'apiKey' => 'key'];
        expect(true, str_starts_with((new SettingsPage(new Plugin()))->problems()[0], 'Nothing is counted. Url: expected'));
    },
    'keeps the saved key when the form has none' => static function (): void {
        site()->options['trackside_settings'] = ['apiKey' => 'key'];
        $cleaned = (new SettingsPage(new Plugin()))->clean(['url' => ' https://trackside.example ', 'apiKey' => '', 'x' => 'y']);
        expect(['https://trackside.example', 'key'], [$cleaned['url'], $cleaned['apiKey']]);
        expect(false, isset($cleaned['x']));
    },
    "passes on what WordPress's client says" => static function (): void {
        $headers = ['retry-after' => '7', 'trackside-outcome' => 'unknown'];
        site()->answers = [['code' => 503, 'headers' => $headers + ['server' => 'y'], 'body' => 'x']];
        $transport = new WordPressTransport();
        expect([503, $headers, 'x'], $transport->post('https://trackside.example', [], '{}', 2.0));
    },
    'knows when a record cannot have arrived' => static function (): void {
        $faults = [
            'cURL error 7: Failed to connect to 127.0.0.1 port 9: Connection refused' => false,
            'cURL error 6: Could not resolve host: trackside.example' => false,
            'cURL error 28: Operation timed out after 2001 milliseconds with 0 bytes received' => true,
            'cURL error 56: Recv failure: Connection reset by peer' => true,
            'fsocket timed out' => true,
        ];
        foreach ($faults as $message => $isReached) {
            site()->answers = [new WP_Error($message)];
            try {
                (new WordPressTransport())->post('https://trackside.example', [], '{}', 2.0);
            } catch (NoAnswer $fault) {
                expect($isReached, $fault->isReached);
                continue;
            }
            throw new RuntimeException("expected no answer: $message");
        }
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
