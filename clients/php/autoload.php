<?php

declare(strict_types=1);

// Loads the classes of this folder, for projects without Composer.
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Trackside\\')) {
        $file = __DIR__ . '/src/' . str_replace('\\', '/', substr($class, 10)) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
