<?php

declare(strict_types=1);

namespace Trackside;

/** A request as the client needs it, from PHP's own variables or from a framework. */
final class Request
{
    /** @var array<string, string> by lower-case name, each character one byte */
    private array $headers = [];

    /**
     * @param string $target the path with its query, as the client wrote it
     * @param array<string, string> $headers
     * @param ?string $peer the address of the other side of the connection
     */
    public function __construct(
        public readonly string $method,
        public readonly string $scheme,
        public readonly string $target,
        array $headers,
        public readonly ?string $peer,
    ) {
        foreach ($headers as $name => $value) {
            $this->headers[strtolower((string) $name)] = $value;
        }
    }

    /**
     * Reads the request that PHP answers right now.
     *
     * @param ?array<string, mixed> $server PHP's `$_SERVER` if left out
     */
    public static function fromGlobals(?array $server = null): self
    {
        $server ??= $_SERVER;
        $headers = [];
        foreach ($server as $name => $value) {
            if (is_string($value) && str_starts_with((string) $name, 'HTTP_')) {
                $headers[str_replace('_', '-', substr((string) $name, 5))] = $value;
            }
        }
        $https = strtolower(self::text($server, 'HTTPS'));
        return new self(
            self::text($server, 'REQUEST_METHOD') ?: 'GET',
            $https !== '' && $https !== 'off' ? 'https' : 'http',
            self::text($server, 'REQUEST_URI') ?: '/',
            $headers,
            self::text($server, 'REMOTE_ADDR') ?: null,
        );
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    /** The host that the client asked for. It can send anything, but a host stays a host. */
    public function host(): string
    {
        $host = $this->header('host') ?? '';
        return preg_match('/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/iD', $host) === 1 ? $host : 'localhost';
    }

    public function pathAndQuery(): string
    {
        $target = explode('#', $this->target, 2)[0];
        if (!str_starts_with($target, '/')) {
            $isAbsolute = preg_match('~^https?://[^/?]*(/.*)~is', $target, $found) === 1;
            $target = $isAbsolute ? $found[1] : '/';
        }
        return preg_replace_callback(
            '/[^!-~]|["<>`]/',
            static fn (array $found): string => sprintf('%%%02X', ord($found[0])),
            $target
        ) ?? '/';
    }

    public function path(): string
    {
        return explode('?', $this->pathAndQuery(), 2)[0];
    }

    /** @param array<string, mixed> $server */
    private static function text(array $server, string $name): string
    {
        $value = $server[$name] ?? '';
        return is_string($value) ? $value : '';
    }
}
