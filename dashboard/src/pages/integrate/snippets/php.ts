import type { Sent } from './sent.ts';

export function phpSnippet(origin: string, domain: string, key: string, sent: Sent): string {
  const isEvent = sent === 'event';
  return `<?php
// side.php: PHP 8 or newer, nothing to install.
const API_KEY = '${key}';

function send(array $visit): array
{
    $body = [
${isEvent ? event : ''}        'Metrics' => [
            'Browser' => ['IP' => $visit['ip'], 'UserAgent' => $visit['userAgent']],
            'Identify' => ['ClientId' => $visit['clientId']],
            'Language' => ['Code' => substr($visit['language'], 0, 2)],
            'Location' => ['CountryCode' => $visit['country']],
            'Page' => ['Absolute' => $visit['page']],
            'Referrer' => ['Absolute' => $visit['referrer']],
            'Screen' => ['Width' => $visit['screenWidth'], 'Height' => $visit['screenHeight']],
        ],
    ];
    $answer = file_get_contents('${origin}/api/${isEvent ? 'event-view' : 'page-view'}', false, stream_context_create([
        'http' => [
            'method' => 'POST',
            'header' => ['Authorization: ' . API_KEY, 'Content-Type: application/json'],
            'content' => json_encode($body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true,
            'timeout' => 5,
        ],
    ]));
    if ($answer === false) {
        throw new RuntimeException('${origin} cannot be reached');
    }
    return json_decode($answer, true, 512, JSON_THROW_ON_ERROR);
}

$answer = send([
    'ip' => $_SERVER['REMOTE_ADDR'] ?? '203.0.113.7',
    'userAgent' => $_SERVER['HTTP_USER_AGENT'] ?? '',
    'clientId' => null, // your own id of a signed-in user, if you have one
    'country' => $_SERVER['HTTP_CF_IPCOUNTRY'] ?? null, // from your proxy or a GeoIP look-up
    // The rest comes from a small script in the page:
    'language' => $_POST['language'] ?? 'en-US', // navigator.language
    'page' => $_POST['page'] ?? 'https://${domain}/', // location.href
    'referrer' => ($_POST['referrer'] ?? '') ?: null, // document.referrer
    'screenWidth' => (int) ($_POST['screenWidth'] ?? 1920), // screen.width
    'screenHeight' => (int) ($_POST['screenHeight'] ?? 1080), // screen.height
]);
echo $answer['Code'], ' ', $answer['Message'], PHP_EOL;
`;
}

/** What an event has besides the metrics of a page view. */
const event = `        'Name' => 'Sign-up',
        'Parameters' => [['Name' => 'plan', 'Value' => 'pro']],
`;
