<?php

declare(strict_types=1);

// As much of WordPress as the plugin calls, so that it runs without WordPress. `$site` is what each returns.

define('ABSPATH', __DIR__);
define('HOUR_IN_SECONDS', 3600);

$site = (object) [
    'actions' => [],
    'options' => [],
    'transients' => [],
    'answers' => [],
    'sent' => [],
    'is' => [],
    'locale' => 'de_CH',
];

function site(): object
{
    return $GLOBALS['site'];
}

function add_action(string $name, callable $action, int $priority = 10, int $arguments = 1): void
{
    site()->actions[$name][] = $action;
}

function get_option(string $name, mixed $fallback): mixed
{
    return site()->options[$name] ?? $fallback;
}

function get_transient(string $name): mixed
{
    return site()->transients[$name] ?? false;
}

function set_transient(string $name, mixed $value, int $seconds): void
{
    site()->transients[$name] = $value;
}

function delete_transient(string $name): void
{
    unset(site()->transients[$name]);
}

function is_admin(): bool
{
    return site()->is['admin'] ?? false;
}

function is_feed(): bool
{
    return site()->is['feed'] ?? false;
}

function is_robots(): bool
{
    return false;
}

function is_trackback(): bool
{
    return false;
}

function is_preview(): bool
{
    return site()->is['preview'] ?? false;
}

function wp_doing_ajax(): bool
{
    return false;
}

function is_user_logged_in(): bool
{
    return site()->is['editor'] ?? false;
}

function current_user_can(string $right): bool
{
    return site()->is['editor'] ?? false;
}

function get_locale(): string
{
    return site()->locale;
}

function home_url(string $path): string
{
    return "https://shop.example$path";
}

function sanitize_text_field(string $text): string
{
    return trim(strip_tags($text));
}

function esc_html(string $text): string
{
    return htmlspecialchars($text);
}

/** @param array<string, mixed> $options */
function wp_remote_post(string $url, array $options): mixed
{
    site()->sent[] = ['url' => $url] + $options;
    return array_shift(site()->answers) ?? new WP_Error('cURL error 28: Operation timed out');
}

/** @param array<string, mixed> $options */
function wp_remote_get(string $url, array $options): mixed
{
    return wp_remote_post($url, $options);
}

function is_wp_error(mixed $answer): bool
{
    return $answer instanceof WP_Error;
}

final class WP_Error
{
    public function __construct(private readonly string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

/** @param array<string, mixed> $answer */
function wp_remote_retrieve_header(array $answer, string $name): string
{
    return $answer['headers'][$name] ?? '';
}

/**
 * @param array<string, mixed> $answer
 * @return array<string, string>
 */
function wp_remote_retrieve_headers(array $answer): array
{
    return $answer['headers'];
}

/** @param array<string, mixed> $answer */
function wp_remote_retrieve_response_code(array $answer): int
{
    return $answer['code'];
}

/** @param array<string, mixed> $answer */
function wp_remote_retrieve_body(array $answer): string
{
    return $answer['body'];
}
