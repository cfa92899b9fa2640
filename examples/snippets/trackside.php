<?php
// trackside.php: PHP 8.1 or newer, nothing to install.
//   php trackside.php                      sends a test page view and an event
//   php -S 127.0.0.1:3000 trackside.php    receives what the script in your pages sends
// A complete client, and a plugin for WordPress, are in clients/php and clients/wordpress of Trackside's folder.
declare(strict_types=1);

const TRACKSIDE = 'http://127.0.0.1:8080';
const API_KEY = 'YOUR_API_KEY';
const SITE = 'https://shop.example';
const PROXIES = 0; // how many of your own proxies are in front of this program
const TIMEOUT_SECONDS = 3;

/** Everything from a browser can be missing or made up, so nothing is passed on unread. */
function metrics(array $visit): array
{
    return [
        'Browser' => ['IP' => $visit['ip'], 'UserAgent' => substr($visit['userAgent'], 0, 2048)],
        'Identify' => ['ClientId' => null], // your own id of a signed-in user, if you have one
        'Language' => ['Code' => readLanguage($visit['language'])],
        'Location' => ['CountryCode' => readCountry($visit['country'])],
        'Page' => ['Absolute' => substr($visit['page'], 0, 8192)],
        'Referrer' => ['Absolute' => readReferrer($visit['referrer'])],
        'Screen' => ['Width' => readPixels($visit['width']), 'Height' => readPixels($visit['height'])],
    ];
}

function sendPageView(array $visit): string
{
    return send('/api/page-view', ['Metrics' => metrics($visit)]);
}

function sendEvent(array $visit, string $name, array $parameters): string
{
    $listed = [];
    foreach ($parameters as $key => $value) {
        $listed[] = ['Name' => $key, 'Value' => (string) $value];
    }
    return send('/api/event-view', ['Name' => $name, 'Parameters' => $listed, 'Metrics' => metrics($visit)]);
}

/** Returns the status and the message. All attempts have the same key, so the record counts once. */
function send(string $path, array $body): string
{
    $request = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'Authorization: ' . API_KEY,
            'Content-Type: application/json',
            'Idempotency-Key: ' . bin2hex(random_bytes(16)),
        ],
        'content' => json_encode($body, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE),
        'ignore_errors' => true,
        'timeout' => TIMEOUT_SECONDS,
    ]]);
    foreach ([1, 2, 0] as $pause) {
        $answer = json_decode((string) @file_get_contents(TRACKSIDE . $path, false, $request), true);
        $code = $answer['Code'] ?? 0;
        if ($code > 0 && $code < 500) {
            break;
        }
        sleep($pause);
    }
    return $code . ' ' . ($answer['Message'] ?? 'no answer');
}

/** Without port, brackets and zone: [fe80::1%eth0]:443 is fe80::1. */
function readAddress(string $text): ?string
{
    $bare = preg_replace('/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/', '$1$2', trim($text));
    return filter_var(explode('%', (string) $bare)[0], FILTER_VALIDATE_IP) ?: null;
}

/** The first language of two letters in a tag or a header. Shortening fil-PH would make it Finnish. */
function readLanguage(string $text): string
{
    $hasOne = preg_match('/(?:^|,)\s*([a-z]{2})(?![a-z\d])/i', substr($text, 0, 200), $found);
    return $hasOne ? strtolower($found[1]) : 'en';
}

/** Cloudflare sends XX for unknown and T1 for Tor. */
function readCountry(string $text): ?string
{
    return preg_match('/^(?!XX)[A-Z]{2}\z/', $text) ? $text : null;
}

function readReferrer(string $text): ?string
{
    return preg_match('~^[a-z][a-z\d+.-]*://[^/?#\\\\\s]~i', $text) ? substr($text, 0, 8192) : null;
}

function readPixels(string $text): int
{
    return preg_match('/^\d{1,5}\z/', $text) ? (int) $text : 0;
}

function side(): void
{
    $visit = describe();
    $route = $_SERVER['REQUEST_METHOD'] . ' ' . explode('?', $_SERVER['REQUEST_URI'])[0];
    // The visitor gets an answer first.
    if ($route === 'POST /sign-up') {
        header('Location: /welcome', true, 303);
    } else {
        http_response_code($route === 'POST /side' ? 204 : 404);
    }
    if (function_exists('fastcgi_finish_request')) {
        fastcgi_finish_request();
    }
    if ($visit['ip'] === null) {
        return;
    }
    $result = '200';
    if ($route === 'POST /side' && preg_match('~^https?://[^/?#\\\\\s]~i', $visit['page'])) {
        $result = sendPageView($visit);
    } elseif ($route === 'POST /sign-up') {
        $result = sendEvent(['page' => SITE . '/sign-up'] + $visit, 'Sign-up', ['plan' => 'pro']);
    }
    if (!str_starts_with($result, '200')) {
        error_log("Trackside: $result");
    }
}

function describe(): array
{
    // A field can also come as a list.
    $field = fn(string $name): string => is_string($_POST[$name] ?? null) ? trim($_POST[$name]) : '';
    return [
        'ip' => findAddress(),
        'userAgent' => $_SERVER['HTTP_USER_AGENT'] ?? '',
        'language' => $field('language') ?: $_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? '',
        'country' => $_SERVER['HTTP_CF_IPCOUNTRY'] ?? '', // if you are behind Cloudflare
        'page' => $field('page'),
        'referrer' => $field('referrer'),
        'width' => $field('screenWidth'),
        'height' => $field('screenHeight'),
    ];
}

/** Behind proxies, the peer is one of them, and must not be counted as a visitor. */
function findAddress(): ?string
{
    $chain = explode(',', $_SERVER['HTTP_X_FORWARDED_FOR'] ?? '');
    return readAddress((PROXIES ? $chain[count($chain) - PROXIES] ?? '' : $_SERVER['REMOTE_ADDR']) ?? '');
}

if (PHP_SAPI !== 'cli') {
    side();
} else {
    $visit = [
        'ip' => '203.0.113.7',
        'userAgent' => 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
        'language' => 'en-US',
        'country' => 'DE',
        'page' => SITE . '/',
        'referrer' => 'https://www.google.com/',
        'width' => '1920',
        'height' => '1080',
    ];
    echo sendPageView($visit), PHP_EOL;
    echo sendEvent($visit, 'Sign-up', ['plan' => 'pro']), PHP_EOL;
}
