<?php

declare(strict_types=1);

namespace Trackside;

/** An answer of the endpoint to the browser. */
final class Answer
{
    public const METHODS = 'GET, HEAD, POST, OPTIONS';

    /** @param array<string, string> $headers */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body = '',
    ) {
    }

    /** We have the record, whatever happens later. */
    public static function taken(?string $allowedOrigin): self
    {
        return new self(204, ['Cache-Control' => 'no-store'] + self::allow($allowedOrigin));
    }

    /**
     * Says in plain text why, for the developer of the page.
     *
     * @param array<string, string> $more
     */
    public static function refused(int $status, string $text, ?string $allowedOrigin, array $more = []): self
    {
        $headers = [
            'Cache-Control' => 'no-store',
            'Content-Type' => 'text/plain; charset=utf-8',
            'X-Content-Type-Options' => 'nosniff',
        ];
        return new self($status, $headers + self::allow($allowedOrigin) + $more, "$text\n");
    }

    public static function preflight(?string $allowedOrigin): self
    {
        $headers = ['Cache-Control' => 'no-store', 'Allow' => self::METHODS] + self::allow($allowedOrigin);
        if ($allowedOrigin !== null) {
            $headers['Access-Control-Allow-Methods'] = 'POST';
            $headers['Access-Control-Allow-Headers'] = 'content-type';
            $headers['Access-Control-Max-Age'] = '86400';
        }
        return new self(204, $headers);
    }

    public static function script(Request $request, string $script, bool $isShared): self
    {
        $tag = 'W/"' . substr(hash('sha256', $script), 0, 16) . '"';
        $headers = [
            'Cache-Control' => 'public, max-age=3600, stale-while-revalidate=86400',
            'ETag' => $tag,
            'Cross-Origin-Resource-Policy' => $isShared ? 'cross-origin' : 'same-origin',
        ];
        if ($isShared) {
            $headers['Access-Control-Allow-Origin'] = '*';
        }
        $bare = static fn (string $each): string => preg_replace('~^W/~', '', trim($each)) ?? '';
        $held = array_map($bare, explode(',', $request->header('if-none-match') ?? ''));
        if (in_array('*', $held, true) || in_array($bare($tag), $held, true)) {
            return new self(304, $headers);
        }
        $headers['Content-Type'] = 'text/javascript; charset=utf-8';
        $headers['X-Content-Type-Options'] = 'nosniff';
        return new self(200, $headers, $request->method === 'HEAD' ? '' : $script);
    }

    /** Sends the answer with PHP's own functions. */
    public function send(): void
    {
        http_response_code($this->status);
        header_remove('Content-Type');
        foreach ($this->headers as $name => $value) {
            header("$name: $value");
        }
        if ($this->status === 304 || $this->status === 204) {
            // PHP would add its own type.
            ini_set('default_mimetype', '');
        }
        echo $this->body;
    }

    /**
     * Credentials are allowed, because `clientId` may read a cookie.
     *
     * @return array<string, string>
     */
    private static function allow(?string $origin): array
    {
        return $origin === null ? [] : [
            'Access-Control-Allow-Origin' => $origin,
            'Access-Control-Allow-Credentials' => 'true',
            'Vary' => 'Origin',
        ];
    }
}
