<?php

declare(strict_types=1);

namespace Trackside\WordPress;

/**
 * Finds what answers for WordPress with a kept copy of a page. Such an answer never reaches this plugin, and
 * its visit is not counted.
 */
final class PageCache
{
    /** Plugins that keep whole pages, and what shows that they do. */
    private const PLUGINS = [
        'WP Super Cache' => 'WPCACHEHOME',
        'W3 Total Cache' => 'W3TC',
        'WP Rocket' => 'WP_ROCKET_VERSION',
        'LiteSpeed Cache' => 'LSCWP_V',
        'WP Fastest Cache' => 'WPFC_WP_CONTENT_DIR',
        'Cache Enabler' => 'CACHE_ENABLER_VERSION',
        'WP-Optimize' => 'WPO_VERSION',
        'Breeze' => 'BREEZE_VERSION',
        'SiteGround Optimizer' => 'SiteGround_Optimizer\VERSION',
    ];

    /** Headers of a copy that something in front of WordPress has kept. A bare `Age: 0` is not a copy. */
    private const HIT_HEADERS = [
        'x-cache', 'x-cache-status', 'cf-cache-status', 'x-proxy-cache', 'x-varnish-cache', 'x-litespeed-cache',
        'x-kinsta-cache', 'x-sucuri-cache', 'x-fastcgi-cache', 'x-nginx-cache', 'x-cacheable',
    ];

    /**
     * Returns what is known to keep pages, by its name, from what WordPress has loaded.
     *
     * @param callable(string): bool $isDefined
     * @return list<string>
     */
    public static function findPlugins(callable $isDefined): array
    {
        $found = [];
        foreach (self::PLUGINS as $name => $constant) {
            if ($isDefined($constant)) {
                $found[] = $name;
            }
        }
        if ($found === [] && $isDefined('WP_CACHE')) {
            $found[] = 'advanced-cache.php (WP_CACHE is set)';
        }
        return $found;
    }

    /**
     * Returns the header by which an answer of the home page was a kept copy, or null. The page is asked for
     * twice, and this is the second answer.
     *
     * @param array<string, string> $headers by lower-case name
     */
    public static function findHit(array $headers): ?string
    {
        foreach (self::HIT_HEADERS as $name) {
            if (preg_match('/\bHIT\b/i', $headers[$name] ?? '') === 1) {
                return "$name: {$headers[$name]}";
            }
        }
        return (int) ($headers['age'] ?? 0) > 0 ? "age: {$headers['age']}" : null;
    }
}
