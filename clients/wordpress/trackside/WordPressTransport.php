<?php

declare(strict_types=1);

namespace Trackside\WordPress;

use Trackside\NoAnswer;
use Trackside\Transport;

/** Sends with WordPress's own HTTP client, which knows the site's proxy and certificates. */
final class WordPressTransport implements Transport
{
    public function post(string $url, array $headers, string $body, float $timeout): array
    {
        $answer = wp_remote_post($url, [
            'headers' => $headers,
            'body' => $body,
            'timeout' => $timeout,
            'redirection' => 0,
            'limit_response_size' => 32 * 1024,
        ]);
        if (is_wp_error($answer)) {
            throw new NoAnswer(!self::isUnconnected($answer->get_error_message()));
        }
        return [
            (int) wp_remote_retrieve_response_code($answer),
            self::readHeaders($answer),
            (string) wp_remote_retrieve_body($answer),
        ];
    }

    /**
     * @param array<string, mixed> $answer
     * @return array<string, string> what the client looks at
     */
    private static function readHeaders(array $answer): array
    {
        $headers = [];
        foreach (['retry-after', 'trackside-outcome'] as $name) {
            $value = wp_remote_retrieve_header($answer, $name);
            if (is_string($value) && $value !== '') {
                $headers[$name] = $value;
            }
        }
        return $headers;
    }

    /**
     * Whether the record can't have arrived: cURL found no address (5 and 6) or made no connection (7). All
     * other faults leave it open, and WordPress has the number only in its message.
     */
    private static function isUnconnected(string $message): bool
    {
        return preg_match('/^cURL error [567]:/', $message) === 1;
    }
}
