<?php

declare(strict_types=1);

namespace Trackside;

/** Finds the two letters of ISO 639-1 for what browsers say about their language. */
final class Languages
{
    private const LONGEST_HEADER = 1024;

    public static function isCode(string $code): bool
    {
        return preg_match('/^[a-z]{2}$/iD', $code) === 1
            && str_contains(' ' . Data::LANGUAGES . ' ', ' ' . strtolower($code) . ' ');
    }

    /** Returns the two letters for a browser's language tag. */
    public static function read(mixed $tag, string $fallback): string
    {
        return (is_string($tag) ? self::find($tag) : null) ?? $fallback;
    }

    /** Returns the visitor's first choice that has a two-letter code. */
    public static function readAccepted(?string $header, string $fallback): string
    {
        $best = $fallback;
        $bestQuality = 0.0;
        foreach (explode(',', substr($header ?? '', 0, self::LONGEST_HEADER)) as $range) {
            $parameters = explode(';', $range);
            $tag = array_shift($parameters);
            $quality = self::readQuality($parameters);
            // Strictly greater: the first of equals counts, and a quality of 0 refuses a language.
            $language = $quality > $bestQuality ? self::find($tag) : null;
            if ($language !== null) {
                $best = $language;
                $bestQuality = $quality;
            }
        }
        return $best;
    }

    /** `fil` has no two-letter code: `tl` is another language, and `fi` is Finnish. */
    private static function find(string $tag): ?string
    {
        if (preg_match('/^\s*([a-z]{2,3})(?![a-z\d])/i', $tag, $found) !== 1) {
            return null;
        }
        $primary = strtolower($found[1]);
        if (self::isCode($primary)) {
            return $primary;
        }
        $isKnown = preg_match("/(?:^| )$primary:([a-z]{2})/", Data::OTHER_LANGUAGES, $found) === 1;
        return $isKnown ? $found[1] : null;
    }

    /** @param list<string> $parameters */
    private static function readQuality(array $parameters): float
    {
        foreach ($parameters as $parameter) {
            if (preg_match('/^\s*q\s*=(.*)$/isD', $parameter, $found) === 1) {
                $text = trim($found[1]);
                $isRight = preg_match('/^(?:0(?:\.\d{0,9})?|1(?:\.0{0,9})?)$/D', $text) === 1;
                return $isRight ? (float) $text : -1.0;
            }
        }
        return 1.0;
    }
}
