<?php

declare(strict_types=1);

namespace Trackside;

use InvalidArgumentException;

/** Which machines in front of the backend may say where a request comes from. */
final class Proxies
{
    private const MAX_HOPS = 32;
    private const LISTS = ['x-forwarded-for', 'forwarded'];

    /** @param ?list<array{string, int}> $networks the bytes and the length of each */
    private function __construct(
        public readonly ?int $hops,
        public readonly ?array $networks,
        public readonly ?string $header,
        public readonly string $list,
    ) {
    }

    /** This many proxies append to the list, and nobody can bypass them. */
    public static function hops(int $hops, string $list = 'x-forwarded-for'): self
    {
        if ($hops < 1 || $hops > self::MAX_HOPS) {
            throw new InvalidArgumentException('hops: expected 1 to ' . self::MAX_HOPS . ", got $hops");
        }
        return new self($hops, null, null, self::checkList($list));
    }

    /**
     * The addresses and CIDRs of the proxies, also 'loopback' and 'private'. This is the safest choice.
     *
     * @param list<string> $networks
     */
    public static function networks(array $networks, string $list = 'x-forwarded-for'): self
    {
        return new self(null, self::readNetworks($networks), null, self::checkList($list));
    }

    /**
     * One header that the platform sets and overwrites, such as 'cf-connecting-ip'.
     *
     * @param ?list<string> $networks where it is believed from, or everywhere
     */
    public static function header(string $header, ?array $networks = null): self
    {
        if (preg_match('/^[\w!#$%&\'*+.^`|~-]+$/D', $header) !== 1) {
            throw new InvalidArgumentException('header: expected a name such as cf-connecting-ip');
        }
        if (in_array(strtolower($header), self::LISTS, true)) {
            throw new InvalidArgumentException("header: expected a header of one address, got the list $header");
        }
        $trusted = $networks === null ? null : self::readNetworks($networks);
        return new self(null, $trusted, strtolower($header), self::LISTS[0]);
    }

    private static function checkList(string $list): string
    {
        if (!in_array(strtolower($list), self::LISTS, true)) {
            throw new InvalidArgumentException('list: expected x-forwarded-for or forwarded');
        }
        return strtolower($list);
    }

    /**
     * @param list<string> $networks
     * @return list<array{string, int}>
     */
    private static function readNetworks(array $networks): array
    {
        if ($networks === []) {
            throw new InvalidArgumentException("networks: expected a list such as ['loopback', '10.0.0.0/8']");
        }
        return array_merge(...array_map(
            static fn (string $entry): array => Addresses::readNetwork($entry)
                ?? throw new InvalidArgumentException(
                    "networks: expected an address or CIDR such as 10.0.0.0/8, 'loopback' or 'private'"
                ),
            array_values($networks)
        ));
    }
}
