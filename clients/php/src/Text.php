<?php

declare(strict_types=1);

namespace Trackside;

/** Counts and trims texts like the tracking interface, which does it like JavaScript. */
final class Text
{
    private const SPACES = '\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}'
        . '\x{3000}\x{feff}';

    /** Returns the text of a header, in which each byte is one character. */
    public static function fromLatin1(string $bytes): string
    {
        return preg_replace_callback(
            '/[\x80-\xff]/',
            static fn (array $found): string => self::encode(ord($found[0])),
            $bytes
        ) ?? '';
    }

    public static function isUtf8(string $bytes): bool
    {
        return preg_match('//u', $bytes) === 1;
    }

    /** Returns the length of UTF-8 in UTF-16 code units. */
    public static function countUnits(string $text): int
    {
        // Each byte but the continuations begins a character, and the longest are two units.
        return preg_match_all('/[^\x80-\xbf]/', $text) + preg_match_all('/[\xf0-\xf7]/', $text);
    }

    /** Shortens UTF-8, but not in the middle of a character. */
    public static function cut(string $text, int $maxUnits): string
    {
        if (self::countUnits($text) <= $maxUnits) {
            return $text;
        }
        $units = 0;
        $kept = '';
        foreach (preg_split('//u', $text, -1, PREG_SPLIT_NO_EMPTY) ?: [] as $character) {
            $units += strlen($character) === 4 ? 2 : 1;
            if ($units > $maxUnits) {
                break;
            }
            $kept .= $character;
        }
        return self::trim($kept);
    }

    public static function trim(string $text): string
    {
        return preg_replace('/^[' . self::SPACES . ']+|[' . self::SPACES . ']+$/uD', '', $text) ?? '';
    }

    /** Replaces each run of white space and control characters with one space, and trims the ends. */
    public static function closeGaps(string $text): string
    {
        return self::trim(preg_replace('/[' . self::SPACES . '\x{0}-\x{1f}\x{7f}-\x{9f}]+/u', ' ', $text) ?? '');
    }

    /** Writes a number as a browser does, so that 5.0 and 5 are the same value of a parameter. */
    public static function writeNumber(int|float $number): string
    {
        $float = (float) $number;
        if (is_nan($float) || is_infinite($float)) {
            return is_nan($float) ? 'NaN' : ($float > 0 ? 'Infinity' : '-Infinity');
        }
        if ($float === 0.0) {
            return '0';
        }
        [$sign, $digits, $exponent] = self::takeApart($float);
        $count = strlen($digits);
        if ($exponent >= 21 || $exponent < -6) {
            $fraction = $count > 1 ? '.' . substr($digits, 1) : '';
            return $sign . $digits[0] . $fraction . 'e' . ($exponent > 0 ? '+' : '-') . abs($exponent);
        }
        if ($exponent < 0) {
            return $sign . '0.' . str_repeat('0', -$exponent - 1) . $digits;
        }
        if ($count <= $exponent + 1) {
            return $sign . $digits . str_repeat('0', $exponent + 1 - $count);
        }
        return $sign . substr($digits, 0, $exponent + 1) . '.' . substr($digits, $exponent + 1);
    }

    /** @return array{string, string, int} the sign, the shortest digits, and the exponent of the first */
    private static function takeApart(float $number): array
    {
        $text = '';
        for ($precision = 0; $precision < 17; $precision++) {
            $text = sprintf('%.' . $precision . 'e', abs($number));
            if ((float) $text === abs($number)) {
                break;
            }
        }
        [$mantissa, $exponent] = explode('e', $text);
        $digits = rtrim(str_replace('.', '', $mantissa), '0');
        return [$number < 0 ? '-' : '', $digits === '' ? '0' : $digits, (int) $exponent];
    }

    private static function encode(int $code): string
    {
        return chr(0xc0 | $code >> 6) . chr(0x80 | $code & 0x3f);
    }
}
