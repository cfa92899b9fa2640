<?php

declare(strict_types=1);

namespace Trackside;

use InvalidArgumentException;

/**
 * Where visitors are, from the headers of the platform in front of the backend. A source is any
 * `callable(Request, string $ip): ?array`.
 */
final class Locations
{
    private const LONGEST_HEADER = 4096;
    private const MAX_UNITS = [
        'ContinentCode' => 64,
        'CountryCode' => 64,
        'City' => 256,
        'PostalCode' => 64,
        'Region' => 256,
        'RegionCode' => 64,
        'Timezone' => 256,
    ];
    private const PLACEHOLDERS = ['', '-', '?', '??', '**', 'unknown', 'null', 'undefined', '(null)'];
    private const CONTINENTS = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'];

    /** The rest needs the managed transform "Add visitor location headers"; the country is always sent. */
    public static function cloudflare(): callable
    {
        return self::fromHeaders([
            'ContinentCode' => 'cf-ipcontinent',
            'CountryCode' => 'cf-ipcountry',
            'City' => 'cf-ipcity',
            'PostalCode' => 'cf-postal-code',
            'Region' => 'cf-region',
            'RegionCode' => 'cf-region-code',
            'Timezone' => 'cf-timezone',
        ]);
    }

    public static function vercel(): callable
    {
        return self::fromHeaders([
            'ContinentCode' => 'x-vercel-ip-continent',
            'CountryCode' => 'x-vercel-ip-country',
            'City' => 'x-vercel-ip-city',
            'PostalCode' => 'x-vercel-ip-postal-code',
            'RegionCode' => 'x-vercel-ip-country-region',
            'Timezone' => 'x-vercel-ip-timezone',
        ]);
    }

    /** Needs an origin request policy that forwards the CloudFront-Viewer headers. */
    public static function cloudfront(): callable
    {
        return self::fromHeaders([
            'CountryCode' => 'cloudfront-viewer-country',
            'City' => 'cloudfront-viewer-city',
            'PostalCode' => 'cloudfront-viewer-postal-code',
            'Region' => 'cloudfront-viewer-country-region-name',
            'RegionCode' => 'cloudfront-viewer-country-region',
            'Timezone' => 'cloudfront-viewer-time-zone',
        ]);
    }

    /** Reads one header with everything, as JSON in base64. Some plans only have the country. */
    public static function netlify(): callable
    {
        $country = self::fromHeaders(['CountryCode' => 'x-country']);
        return static fn (Request $request, string $ip): ?array
            => self::readNetlify($request->header('x-nf-geo')) ?? $country($request, $ip);
    }

    /**
     * Reads the headers of any proxy: `['CountryCode' => 'x-geo-country', 'City' => 'x-geo-city']`.
     *
     * @param array<string, string> $names
     */
    public static function fromHeaders(array $names): callable
    {
        foreach (array_keys($names) as $member) {
            if (!isset(self::MAX_UNITS[$member])) {
                $members = implode(', ', array_keys(self::MAX_UNITS));
                throw new InvalidArgumentException("fromHeaders: expected members of $members, got $member");
            }
        }
        return static fn (Request $request): ?array => self::known(self::complete(array_map(
            static fn (string $name): ?string => self::readText($request->header(strtolower($name))),
            $names
        )));
    }

    /**
     * Returns a location that the interface accepts. A record must not be lost because of a city's name.
     *
     * @return array<string, ?string>
     */
    public static function complete(mixed $found): array
    {
        $given = is_array($found) ? $found : [];
        $location = [];
        foreach (self::MAX_UNITS as $member => $maxUnits) {
            $location[$member] = self::clean($given[$member] ?? null, $maxUnits);
        }
        $country = strtoupper($location['CountryCode'] ?? '');
        $isCountry = preg_match('/^[A-Z]{2}$/D', $country) === 1
            && preg_match("/(?:^| )$country:([A-Z]{2})/", Data::COUNTRIES, $pair) === 1;
        $continent = strtoupper($location['ContinentCode'] ?? '');
        $isContinent = in_array($continent, self::CONTINENTS, true);
        $location['CountryCode'] = $isCountry ? $country : null;
        $location['ContinentCode'] = $isContinent ? $continent : ($isCountry ? $pair[1] : null);
        return $location;
    }

    /**
     * @param array<string, ?string> $location
     * @return ?array<string, ?string>
     */
    private static function known(array $location): ?array
    {
        return array_filter($location, static fn (?string $value): bool => $value !== null) === [] ? null : $location;
    }

    private static function clean(mixed $value, int $maxUnits): ?string
    {
        if (!is_string($value) || !Text::isUtf8($value)) {
            return null;
        }
        $text = Text::cut(Text::closeGaps(Text::cut($value, 4 * $maxUnits)), $maxUnits);
        return in_array(strtolower($text), self::PLACEHOLDERS, true) ? null : $text;
    }

    /** Cloudflare sends UTF-8, others send percent encoding. */
    private static function readText(?string $value): ?string
    {
        if ($value === null || strlen($value) > self::LONGEST_HEADER) {
            return null;
        }
        $text = Text::isUtf8($value) ? $value : Text::fromLatin1($value);
        if (preg_match('/%(?![\da-f]{2})/i', $text) === 1) {
            return $text;
        }
        $decoded = rawurldecode($text);
        return Text::isUtf8($decoded) ? $decoded : $text;
    }

    /** @return ?array<string, ?string> */
    private static function readNetlify(?string $value): ?array
    {
        if ($value === null || strlen($value) > self::LONGEST_HEADER) {
            return null;
        }
        $geo = json_decode((string) base64_decode($value, true), true);
        if (!is_array($geo)) {
            return null;
        }
        return self::known(self::complete([
            'CountryCode' => is_array($geo['country'] ?? null) ? $geo['country']['code'] ?? null : null,
            'City' => $geo['city'] ?? null,
            'PostalCode' => $geo['postalCode'] ?? $geo['postal_code'] ?? null,
            'Region' => is_array($geo['subdivision'] ?? null) ? $geo['subdivision']['name'] ?? null : null,
            'RegionCode' => is_array($geo['subdivision'] ?? null) ? $geo['subdivision']['code'] ?? null : null,
            'Timezone' => $geo['timezone'] ?? null,
        ]));
    }
}
