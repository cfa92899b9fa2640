<?php

declare(strict_types=1);

namespace Trackside;

use Throwable;

/** Something that went wrong with records. It never holds an API key, an address or a value. */
final class Fault
{
    public function __construct(
        public readonly string $kind,
        public readonly string $message,
        public readonly ?Throwable $cause = null,
    ) {
    }
}
