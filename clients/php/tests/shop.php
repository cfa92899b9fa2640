<?php

declare(strict_types=1);

// A small website, run by PHP's own server for tests/conformance.php.

use Trackside\Client;
use Trackside\Fault;
use Trackside\Handler;
use Trackside\Proxies;
use Trackside\SocketTransport;
use Trackside\Transport;

require __DIR__ . '/../autoload.php';

$given = json_decode((string) getenv('SHOP_GIVEN'), true);
$folder = (string) getenv('SHOP_FOLDER');
$note = static fn (string $file, string $line) => file_put_contents("$folder/$file", "$line\n", FILE_APPEND | LOCK_EX);
$counting = new class ($note) implements Transport {
    public function __construct(private readonly Closure $note)
    {
    }

    public function post(string $url, array $headers, string $body, float $timeout): array
    {
        ($this->note)('counts', 'unavailable');
        [$status, $answered, $text] = (new SocketTransport())->post($url, $headers, $body, $timeout);
        ($this->note)('counts', $status === 200 ? 'accepted' : 'other');
        return [$status, $answered, $text];
    }
};
$client = new Client(
    $given['url'],
    $given['apiKey'],
    spool: "$folder/spool",
    onError: static fn (Fault $fault) => $note('faults', $fault->kind),
    transport: $counting,
    release: $given['release'],
);
$handler = new Handler(
    $client,
    proxies: Proxies::networks($given['settings']['proxies']['networks']),
    onError: static fn (Fault $fault) => $note('faults', $fault->kind),
);
if ($handler->serve()) {
    return;
}
if ($_SERVER['REQUEST_URI'] === '/checkout') {
    $handler->trackEvent('Order paid', ['total' => 44]);
    http_response_code(303);
    header('Location: /thanks');
    return;
}
if ($_SERVER['REQUEST_URI'] === '/flush') {
    $client->flush();
    return;
}
$handler->countPage();
echo '<h1>Shop</h1>';
