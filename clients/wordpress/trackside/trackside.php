<?php
/**
 * Plugin Name: Trackside
 * Description: Counts page views on the server, without a script in the page, and says when a page cache prevents it.
 * Version: 0.1.0
 * Requires at least: 6.0
 * Requires PHP: 8.1
 * License: MIT
 */

declare(strict_types=1);

namespace Trackside\WordPress;

if (!defined('ABSPATH')) {
    exit;
}

// The PHP client is copied into the plugin's folder; in a checkout it is where it is developed.
require is_dir(__DIR__ . '/client') ? __DIR__ . '/client/autoload.php' : __DIR__ . '/../../php/autoload.php';
require __DIR__ . '/PageCache.php';
require __DIR__ . '/WordPressTransport.php';
require __DIR__ . '/Plugin.php';
require __DIR__ . '/SettingsPage.php';

$plugin = new Plugin();
$plugin->register();
if (is_admin()) {
    (new SettingsPage($plugin))->register();
}
