<?php

declare(strict_types=1);

// One request for a page, in a separate process. It prints what was sent to Trackside as JSON.

require __DIR__ . '/stubs.php';

$given = json_decode((string) $argv[1], true);
site()->options['trackside_settings'] = ['url' => 'https://trackside.example', 'apiKey' => 'key'] + ($given['settings'] ?? []);
site()->is = $given['is'] ?? [];
site()->answers = [['code' => 200, 'headers' => [], 'body' => '{"Code":200,"Message":"Success"}']];
$_SERVER = ($given['server'] ?? []) + [
    'REQUEST_METHOD' => 'GET',
    'REQUEST_URI' => '/shoes?size=42',
    'REMOTE_ADDR' => '203.0.113.7',
    'HTTP_HOST' => 'shop.example',
    'HTTPS' => 'on',
];
require __DIR__ . '/../trackside/trackside.php';
foreach (site()->actions['template_redirect'] as $action) {
    $action();
}
if (isset($given['event'])) {
    (site()->actions['trackside_event'][0])(...$given['event']);
}
register_shutdown_function(static function (): void {
    // The client sends after two rounds of shutdown functions, and this is the last.
    register_shutdown_function(static fn () => register_shutdown_function(static fn () => register_shutdown_function(
        static fn () => print json_encode(array_map(
            static fn (array $one): array => ['url' => $one['url'], 'body' => json_decode($one['body'])],
            site()->sent
        ))
    )));
});
