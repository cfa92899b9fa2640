<?php

declare(strict_types=1);

namespace Trackside\WordPress;

use InvalidArgumentException;
use Trackside\Client;
use Trackside\Handler;
use Trackside\Locations;
use Trackside\Proxies;
use Trackside\Request;

/** Counts pages once WordPress has sent them. */
final class Plugin
{
    public const OPTION = 'trackside_settings';
    /** A request with this header comes from the settings page, which looks for a page cache. */
    public const PROBE_HEADER = 'x-trackside-probe';

    private ?Handler $handler = null;

    public function register(): void
    {
        // After redirects were decided, and before the page is built.
        add_action('template_redirect', [$this, 'count'], PHP_INT_MAX);
        add_action('trackside_event', [$this, 'trackEvent'], 10, 2);
    }

    /**
     * Returns the settings. Constants in wp-config.php come first, to keep the key out of the database.
     *
     * @return array{url: string, apiKey: string, proxy: string, location: string, respectDoNotTrack: bool}
     */
    public function settings(): array
    {
        $saved = get_option(self::OPTION, []);
        $saved = is_array($saved) ? $saved : [];
        $text = static fn (string $name): string => is_string($saved[$name] ?? null) ? $saved[$name] : '';
        return [
            'url' => defined('TRACKSIDE_URL') ? (string) constant('TRACKSIDE_URL') : $text('url'),
            'apiKey' => defined('TRACKSIDE_KEY') ? (string) constant('TRACKSIDE_KEY') : $text('apiKey'),
            'proxy' => $text('proxy'),
            'location' => $text('location'),
            'respectDoNotTrack' => ($saved['respectDoNotTrack'] ?? '') === '1',
        ];
    }

    /** Counts the page that is about to be sent. */
    public function count(): void
    {
        $request = Request::fromGlobals();
        $isPage = !is_admin() && !is_feed() && !is_robots() && !is_trackback() && !is_preview() && !wp_doing_ajax();
        $isCounted = $isPage && $request->header(self::PROBE_HEADER) === null && !$this->isEditor();
        if ($isCounted) {
            $this->handler()?->countPage($request);
        }
    }

    /**
     * Records an event of a theme or another plugin: `do_action('trackside_event', 'Order paid', ['total' => 44])`.
     *
     * @param mixed $parameters
     */
    public function trackEvent(mixed $name, mixed $parameters = []): void
    {
        if (is_string($name)) {
            $this->handler()?->trackEvent($name, is_array($parameters) ? $parameters : []);
        }
    }

    /** Returns null while the settings are missing or wrong. A website must not fail because of them. */
    public function handler(): ?Handler
    {
        try {
            return $this->handler ??= $this->makeHandler();
        } catch (InvalidArgumentException) {
            return null;
        }
    }

    /** @throws InvalidArgumentException that says which setting is wrong */
    public function makeHandler(): Handler
    {
        $settings = $this->settings();
        $client = new Client($settings['url'], $settings['apiKey'], transport: new WordPressTransport());
        return new Handler(
            $client,
            proxies: match (true) {
                $settings['proxy'] === '' => null,
                ctype_digit($settings['proxy']) => Proxies::hops((int) $settings['proxy']),
                preg_match('/^[a-z][a-z-]*-ip$|-for$/i', $settings['proxy']) === 1 => Proxies::header($settings['proxy']),
                default => Proxies::networks(preg_split('/[\s,]+/', trim($settings['proxy'])) ?: []),
            },
            location: $settings['location'] === 'cloudflare' ? [Locations::cloudflare()] : [],
            language: self::language(),
            respectDoNotTrack: $settings['respectDoNotTrack'],
        );
    }

    /** The website's authors are not its visitors. */
    private function isEditor(): bool
    {
        return is_user_logged_in() && current_user_can('edit_posts');
    }

    private static function language(): string
    {
        $language = substr(get_locale(), 0, 2);
        return \Trackside\Languages::isCode($language) && preg_match('/^[a-z]{2}(?:_|$)/', get_locale()) === 1
            ? $language
            : 'en';
    }
}
