<?php

declare(strict_types=1);

namespace Trackside\WordPress;

use InvalidArgumentException;

/** Settings → Trackside, with what prevents counting. */
final class SettingsPage
{
    private const SLUG = 'trackside';
    private const PROBE = 'trackside_page_cache';

    public function __construct(private readonly Plugin $plugin)
    {
    }

    public function register(): void
    {
        add_action('admin_menu', fn () => add_options_page(
            'Trackside',
            'Trackside',
            'manage_options',
            self::SLUG,
            [$this, 'show']
        ));
        add_action('admin_init', fn () => register_setting(
            self::SLUG,
            Plugin::OPTION,
            ['sanitize_callback' => [$this, 'clean']]
        ));
        add_action('admin_notices', [$this, 'warn']);
    }

    /**
     * Keeps the members that are known, as text. An empty key leaves the saved one as it is.
     *
     * @return array<string, string>
     */
    public function clean(mixed $given): array
    {
        delete_transient(self::PROBE);
        $saved = get_option(Plugin::OPTION, []);
        $cleaned = [];
        foreach (['url', 'apiKey', 'proxy', 'location', 'respectDoNotTrack'] as $name) {
            $value = is_array($given) && is_string($given[$name] ?? null) ? trim($given[$name]) : '';
            $cleaned[$name] = sanitize_text_field($value);
        }
        if ($cleaned['apiKey'] === '' && is_array($saved)) {
            $cleaned['apiKey'] = (string) ($saved['apiKey'] ?? '');
        }
        return $cleaned;
    }

    /** Says on every admin page that visits are missing, since nobody would notice. */
    public function warn(): void
    {
        if (!current_user_can('manage_options')) {
            return;
        }
        foreach ($this->problems() as $problem) {
            echo '<div class="notice notice-warning"><p><strong>Trackside:</strong> ', esc_html($problem), '</p></div>';
        }
    }

    /** @return list<string> */
    public function problems(): array
    {
        $problems = [];
        try {
            $this->plugin->makeHandler();
        } catch (InvalidArgumentException $fault) {
            $problems[] = 'Nothing is counted. ' . ucfirst($fault->getMessage()) . '.';
        }
        $names = PageCache::findPlugins(static fn (string $name): bool => defined($name) && (bool) constant($name));
        $hit = $this->probe();
        if ($names !== []) {
            $problems[] = 'A page cache is active (' . implode(', ', $names) . '). '
                . 'Visits that it answers never reach WordPress and are not counted. '
                . 'Turn it off, or count with the browser script instead.';
        } elseif ($hit !== null) {
            $problems[] = "Something in front of WordPress answered with a kept copy of the home page ($hit). "
                . 'Visits that it answers are not counted. Exclude HTML pages from it, or count with the browser script.';
        }
        return $problems;
    }

    public function show(): void
    {
        $settings = $this->plugin->settings();
        $name = static fn (string $member): string => esc_attr(Plugin::OPTION . "[$member]");
        echo '<div class="wrap"><h1>Trackside</h1><form method="post" action="options.php">';
        settings_fields(self::SLUG);
        echo '<table class="form-table">';
        $this->showField('URL', "<input type='url' class='regular-text' name='{$name('url')}' value='"
            . esc_attr($settings['url']) . "' placeholder='https://trackside.example'>");
        $this->showField('API key', "<input type='password' class='regular-text' name='{$name('apiKey')}' value='' "
            . "autocomplete='off' placeholder='" . ($settings['apiKey'] === '' ? '' : 'Saved') . "'>");
        $this->showField('Proxies', "<input type='text' class='regular-text' name='{$name('proxy')}' value='"
            . esc_attr($settings['proxy']) . "'><p class='description'>Leave empty if nothing is in front of this "
            . 'server. Otherwise networks (<code>loopback, 10.0.0.0/8</code>), how many proxies there are '
            . '(<code>1</code>), or a header (<code>cf-connecting-ip</code>).</p>');
        $this->showField('Location', "<label><input type='checkbox' name='{$name('location')}' value='cloudflare'"
            . checked($settings['location'], 'cloudflare', false) . "> Read Cloudflare's headers</label>");
        $this->showField('Privacy', "<label><input type='checkbox' name='{$name('respectDoNotTrack')}' value='1'"
            . checked($settings['respectDoNotTrack'], true, false) . '> Respect Do Not Track and Global Privacy '
            . 'Control</label>');
        echo '</table>';
        submit_button();
        echo '</form></div>';
    }

    /** Returns the header by which a page cache in front answered, looked for once an hour. */
    private function probe(): ?string
    {
        $kept = get_transient(self::PROBE);
        if (is_string($kept)) {
            return $kept === '' ? null : $kept;
        }
        $hit = null;
        for ($times = 0; $times < 2; $times++) {
            $answer = wp_remote_get(home_url('/'), [
                'timeout' => 3,
                'redirection' => 0,
                'headers' => [Plugin::PROBE_HEADER => '1'],
            ]);
            if (!is_wp_error($answer)) {
                $headers = [];
                foreach (wp_remote_retrieve_headers($answer) as $name => $value) {
                    $headers[strtolower((string) $name)] = is_array($value) ? implode(', ', $value) : (string) $value;
                }
                $hit = PageCache::findHit($headers);
            }
        }
        set_transient(self::PROBE, $hit ?? '', HOUR_IN_SECONDS);
        return $hit;
    }

    private function showField(string $label, string $field): void
    {
        echo '<tr><th scope="row">', esc_html($label), '</th><td>', $field, '</td></tr>';
    }
}
