<?php

declare(strict_types=1);

namespace Trackside;

use stdClass;

/** What a browser said about itself and its page. It is checked, so every value can be sent on. */
final class Collected
{
    private const MAX_PIXELS = 100_000;
    private const MAX_NAME_UNITS = 256;
    private const MAX_VALUE_UNITS = 2048;
    private const MAX_PARAMETERS = 12;
    private const DEEPEST = 64;

    /** @param list<array{Name: string, Value: string}> $parameters */
    private function __construct(
        public readonly int|float $width,
        public readonly int|float $height,
        public readonly mixed $language,
        public readonly ?string $referrer,
        public readonly string $page,
        public readonly ?string $name,
        public readonly array $parameters,
    ) {
    }

    /** @throws WrongBody */
    public static function read(string $body): self
    {
        $text = preg_replace('/^\xef\xbb\xbf/', '', $body) ?? '';
        $given = json_decode($text, false, self::DEEPEST, JSON_INVALID_UTF8_SUBSTITUTE);
        if (!$given instanceof stdClass) {
            throw new WrongBody('Body: expected a JSON object, got another value or no JSON');
        }
        $members = self::members($given);
        // In any letter case, so that `name` is a fault and not a page view.
        $isEvent = array_intersect(['name', 'parameters'], array_map('strtolower', array_keys($members))) !== [];
        $known = ['ScreenWidth', 'ScreenHeight', 'Absolute'];
        self::checkSpelling($members, $isEvent ? [...$known, 'Name', 'Parameters'] : $known, '');
        $width = self::readPixels($members, 'ScreenWidth');
        $height = self::readPixels($members, 'ScreenHeight');
        $page = $members['Absolute'] ?? null;
        if (!Site::isPage($page)) {
            throw new WrongBody('Absolute: expected an absolute http or https URL of at most 8192 characters');
        }
        $referrer = $members['Referrer'] ?? null;
        return new self(
            $width,
            $height,
            $members['Language'] ?? null,
            Site::isReferrer($referrer) ? $referrer : null,
            $page,
            $isEvent ? self::readName($members['Name'] ?? null, 'Name') : null,
            $isEvent ? self::readParameters($members['Parameters'] ?? null) : [],
        );
    }

    /** @return array<string, mixed> */
    private static function members(stdClass $object): array
    {
        $members = [];
        foreach (get_object_vars($object) as $name => $value) {
            $members[(string) $name] = $value;
        }
        return $members;
    }

    /**
     * @param array<string, mixed> $members
     * @param list<string> $known
     */
    private static function checkSpelling(array $members, array $known, string $path): void
    {
        foreach (array_keys($members) as $came) {
            foreach ($known as $right) {
                if ((string) $came !== $right && strtolower((string) $came) === strtolower($right)) {
                    throw new WrongBody("$path$right: expected the member to be spelled $right");
                }
            }
        }
    }

    /** @param array<string, mixed> $members */
    private static function readPixels(array $members, string $member): int|float
    {
        $value = $members[$member] ?? 0;
        if (!is_int($value) && !is_float($value)) {
            throw new WrongBody("$member: expected a number or null");
        }
        // A browser that hides its screen may send any number.
        return min(max($value, 0), self::MAX_PIXELS);
    }

    private static function readName(mixed $value, string $path): string
    {
        if (is_string($value) && Text::countUnits($value) <= self::MAX_NAME_UNITS && Text::trim($value) !== '') {
            return $value;
        }
        $most = self::MAX_NAME_UNITS;
        throw new WrongBody("$path: expected a string of 1 to $most characters that are not all white space");
    }

    /** @return list<array{Name: string, Value: string}> */
    private static function readParameters(mixed $given): array
    {
        if ($given instanceof stdClass) {
            $given = array_map(
                static fn (string|int $name, mixed $value): stdClass
                    => (object) ['Name' => (string) $name, 'Value' => $value],
                array_keys(get_object_vars($given)),
                array_values(get_object_vars($given))
            );
        }
        $given ??= [];
        if (!is_array($given) || count($given) > self::MAX_PARAMETERS) {
            throw new WrongBody('Parameters: expected an array of 0 to ' . self::MAX_PARAMETERS . ' elements');
        }
        $parameters = [];
        foreach (array_values($given) as $index => $each) {
            $parameters[] = self::readParameter($each, "Parameters[$index]");
        }
        return $parameters;
    }

    /** @return array{Name: string, Value: string} */
    private static function readParameter(mixed $each, string $path): array
    {
        if (!$each instanceof stdClass) {
            throw new WrongBody("$path: expected an object");
        }
        $members = self::members($each);
        self::checkSpelling($members, ['Name', 'Value'], "$path.");
        $name = self::readName($members['Name'] ?? null, "$path.Name");
        $value = self::toText($members['Value'] ?? null);
        if (!is_string($value) || Text::countUnits($value) > self::MAX_VALUE_UNITS) {
            $most = self::MAX_VALUE_UNITS;
            throw new WrongBody("$path.Value: expected a string of at most $most characters");
        }
        return ['Name' => $name, 'Value' => $value];
    }

    /** Numbers and booleans become text, so that a page can send them as they are. */
    public static function toText(mixed $value): mixed
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            is_int($value), is_float($value) => Text::writeNumber($value),
            default => $value,
        };
    }
}
