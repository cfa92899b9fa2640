<?php

declare(strict_types=1);

namespace Trackside;

/**
 * Where a URL leads to. The host is in lower case, and has its port unless that is the default one.
 *
 * It refuses too much rather than too little, because one bad URL costs the whole record.
 */
final class Site
{
    private const MAX_URL_UNITS = 8192;

    private function __construct(public readonly string $scheme, public readonly string $host)
    {
    }

    public static function read(?string $url): ?self
    {
        if (preg_match('~^([a-z][a-z0-9+.-]*)://([^/?#\\\\]+)~i', $url ?? '', $found) !== 1) {
            return null;
        }
        $at = strrpos($found[2], '@');
        return self::make($found[1], $at === false ? $found[2] : substr($found[2], $at + 1));
    }

    public static function make(string $scheme, string $host): ?self
    {
        $form = '/^([a-z\d._-]{1,253}|\[[\da-f:.]{2,45}\])(?::(\d{1,5}))?$/iD';
        if (preg_match($form, $host, $found) !== 1) {
            return null;
        }
        $scheme = strtolower($scheme);
        $name = self::readName(strtolower($found[1]));
        $port = isset($found[2]) ? (int) $found[2] : null;
        if ($name === null || $port > 65535) {
            return null;
        }
        $ordinary = ['http' => 80, 'https' => 443][$scheme] ?? null;
        return new self($scheme, $port === null || $port === $ordinary ? $name : "$name:$port");
    }

    public static function isPage(mixed $url): bool
    {
        return self::isUrl($url) && in_array(self::read($url)?->scheme, ['http', 'https'], true);
    }

    public static function isReferrer(mixed $url): bool
    {
        return self::isUrl($url) && self::read($url) !== null;
    }

    public function origin(): string
    {
        return "$this->scheme://$this->host";
    }

    private static function isUrl(mixed $url): bool
    {
        return is_string($url) && Text::countUnits($url) <= self::MAX_URL_UNITS;
    }

    private static function readName(string $name): ?string
    {
        if ($name[0] === '[') {
            $address = Addresses::canonical(substr($name, 1, -1), false);
            return $address === null ? null : "[$address]";
        }
        // A name that ends in a number has to be an IPv4 address.
        $labels = explode('.', rtrim($name, '.'));
        if (preg_match('/^(?:\d+|0x[\da-f]*)$/D', end($labels)) === 1) {
            return filter_var($name, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) === false ? null : $name;
        }
        return $name;
    }
}
