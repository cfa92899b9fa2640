<?php

declare(strict_types=1);

namespace Trackside;

/** Sends with PHP's own sockets, so that neither cURL nor allow_url_fopen is needed. */
final class SocketTransport implements Transport
{
    private const MAX_ANSWER_BYTES = 32 * 1024;

    public function post(string $url, array $headers, string $body, float $timeout): array
    {
        $deadline = microtime(true) + $timeout;
        $parts = parse_url($url);
        $isPlain = ($parts['scheme'] ?? '') === 'http';
        $host = $parts['host'] ?? '';
        $port = $parts['port'] ?? ($isPlain ? 80 : 443);
        $address = ($isPlain ? 'tcp' : 'tls') . "://$host:$port";
        $socket = @stream_socket_client($address, $code, $text, $timeout);
        if ($socket === false) {
            throw new NoAnswer(false);
        }
        try {
            $path = ($parts['path'] ?? '') . (isset($parts['query']) ? "?{$parts['query']}" : '');
            $named = isset($parts['port']) ? "$host:$port" : $host;
            // An answer to HTTP/1.0 comes in one piece, and the connection ends with it.
            $head = "POST $path HTTP/1.0\r\nHost: $named\r\nConnection: close\r\n";
            foreach ([...$headers, 'Content-Length' => (string) strlen($body)] as $name => $value) {
                $head .= "$name: $value\r\n";
            }
            self::write($socket, "$head\r\n$body", $deadline);
            return self::parse(self::read($socket, $deadline));
        } finally {
            fclose($socket);
        }
    }

    /** @param resource $socket */
    private static function write($socket, string $data, float $deadline): void
    {
        while ($data !== '') {
            self::limit($socket, $deadline);
            $written = @fwrite($socket, $data);
            if ($written === false || $written === 0) {
                throw new NoAnswer(true);
            }
            $data = substr($data, $written);
        }
    }

    /** @param resource $socket */
    private static function read($socket, float $deadline): string
    {
        $answer = '';
        while (!feof($socket) && strlen($answer) <= self::MAX_ANSWER_BYTES && !self::isComplete($answer)) {
            self::limit($socket, $deadline);
            $piece = @fread($socket, 8192);
            if ($piece === false || stream_get_meta_data($socket)['timed_out']) {
                throw new NoAnswer(true);
            }
            $answer .= $piece;
        }
        return $answer;
    }

    /** Some proxies keep the connection although they were asked to close it. */
    private static function isComplete(string $answer): bool
    {
        $end = strpos($answer, "\r\n\r\n");
        $hasLength = $end !== false
            && preg_match('/\r\ncontent-length: *(\d{1,9})\r\n/i', substr($answer, 0, $end + 2), $found) === 1;
        return $hasLength && strlen($answer) - $end - 4 >= (int) $found[1];
    }

    /** @param resource $socket */
    private static function limit($socket, float $deadline): void
    {
        $left = $deadline - microtime(true);
        if ($left <= 0) {
            throw new NoAnswer(true);
        }
        stream_set_timeout($socket, (int) $left, (int) (fmod($left, 1) * 1_000_000));
    }

    /** @return array{int, array<string, string>, string} */
    private static function parse(string $answer): array
    {
        [$head, $body] = explode("\r\n\r\n", $answer, 2) + [1 => null];
        $lines = explode("\r\n", $head);
        if ($body === null || preg_match('~^HTTP/1\.[01] (\d{3})~', $lines[0], $found) !== 1) {
            throw new NoAnswer(true);
        }
        $headers = [];
        foreach (array_slice($lines, 1) as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
        }
        return [(int) $found[1], $headers, $body];
    }
}
