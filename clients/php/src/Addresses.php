<?php

declare(strict_types=1);

namespace Trackside;

/** Reads addresses as proxies write them, and knows which network they are in. */
final class Addresses
{
    private const LONGEST = 128;
    private const NAMED = [
        'loopback' => ['127.0.0.0/8', '::1'],
        'private' => [
            '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10',
        ],
    ];
    // Providers use 100.64.0.0/10 between their own machines.
    private const INNER = ['loopback', 'private', '100.64.0.0/10', '0.0.0.0/8', '::'];

    /**
     * Reads an address with a port, brackets, quotes or a zone. Each address has one spelling, and IPv4
     * that is written as IPv6 becomes IPv4.
     */
    public static function read(?string $text): ?string
    {
        if ($text === null || strlen($text) > self::LONGEST) {
            return null;
        }
        $bare = trim($text);
        if (preg_match('/^"(.*)"$/sD', $bare, $found) === 1) {
            $bare = trim($found[1]);
        }
        $bare = self::withoutPort($bare);
        return self::canonical(str_contains($bare, ':') ? explode('%', $bare, 2)[0] : $bare);
    }

    /** CloudFront writes `2001:db8::1:443` without brackets, so only this finds the port. */
    public static function readWithPort(string $text): ?string
    {
        $colon = strrpos($text, ':');
        return self::read($colon === false || str_contains($text, ']') ? $text : substr($text, 0, $colon));
    }

    /** Returns the one spelling of an address, or null if it is none. */
    public static function canonical(string $address, bool $unmaps = true): ?string
    {
        if (filter_var($address, FILTER_VALIDATE_IP) === false) {
            return null;
        }
        $bytes = inet_pton($address);
        if ($bytes === false) {
            return null;
        }
        if ($unmaps && strlen($bytes) === 16 && str_starts_with($bytes, self::mappedPrefix())) {
            $bytes = substr($bytes, 12);
        }
        return strlen($bytes) === 4 ? (inet_ntop($bytes) ?: null) : self::writeIpv6($bytes);
    }

    /** Returns whether an address can be that of a visitor and not of a proxy next to us. */
    public static function isPublic(string $address): bool
    {
        foreach (self::INNER as $entry) {
            if (self::isInside($address, self::readNetwork($entry) ?? [])) {
                return false;
            }
        }
        return true;
    }

    /** @param list<array{string, int}> $networks */
    public static function isInside(string $address, array $networks): bool
    {
        $bytes = (string) inet_pton($address);
        foreach ($networks as [$network, $bits]) {
            if (strlen($network) === strlen($bytes) && self::isSameStart($bytes, $network, $bits)) {
                return true;
            }
        }
        return false;
    }

    /** @return ?list<array{string, int}> the bytes and the length of each network of an entry */
    public static function readNetwork(string $entry): ?array
    {
        $networks = [];
        foreach (self::NAMED[$entry] ?? [$entry] as $text) {
            if (preg_match('~^([^/%]+)(?:/(\d{1,3}))?$~D', $text, $found) !== 1) {
                return null;
            }
            if (filter_var($found[1], FILTER_VALIDATE_IP) === false) {
                return null;
            }
            $bytes = (string) inet_pton($found[1]);
            $size = 8 * strlen($bytes);
            $bits = isset($found[2]) ? (int) $found[2] : $size;
            if ($bits > $size) {
                return null;
            }
            // Addresses are compared as IPv4 where they are IPv4.
            $isMapped = $size === 128 && $bits >= 96 && str_starts_with($bytes, self::mappedPrefix());
            $networks[] = $isMapped ? [substr($bytes, 12), $bits - 96] : [$bytes, $bits];
        }
        return $networks;
    }

    /** Returns the network of a household, whose devices change their IPv6 addresses at will. */
    public static function household(string $address): string
    {
        return substr((string) inet_pton($address), 0, 8);
    }

    private static function isSameStart(string $address, string $network, int $bits): bool
    {
        $whole = intdiv($bits, 8);
        if (substr($address, 0, $whole) !== substr($network, 0, $whole)) {
            return false;
        }
        $mask = 0xff << 8 - $bits % 8 & 0xff;
        return $bits % 8 === 0 || (ord($address[$whole]) & $mask) === (ord($network[$whole]) & $mask);
    }

    private static function withoutPort(string $text): string
    {
        if (str_starts_with($text, '[')) {
            return preg_match('/^\[([^\]]*)\](?::.*)?$/sD', $text, $found) === 1 ? $found[1] : '';
        }
        return substr_count($text, ':') === 1 ? explode(':', $text)[0] : $text;
    }

    private static function mappedPrefix(): string
    {
        return str_repeat("\0", 10) . "\xff\xff";
    }

    /** Writes IPv6 without a part of IPv4, which inet_ntop would write for some addresses. */
    private static function writeIpv6(string $bytes): string
    {
        $groups = array_map(static fn (int $group): string => dechex($group), array_values(unpack('n*', $bytes) ?: []));
        $text = ':' . implode(':', $groups) . ':';
        for ($length = 8; $length > 1; $length--) {
            $run = str_repeat(':0', $length) . ':';
            $at = strpos($text, $run);
            if ($at !== false) {
                $before = trim(substr($text, 0, $at), ':');
                $after = trim(substr($text, $at + strlen($run)), ':');
                return "$before::$after";
            }
        }
        return trim($text, ':');
    }
}
