<?php

declare(strict_types=1);

namespace Trackside;

use RuntimeException;

final class NoAnswer extends RuntimeException
{
    /** @param bool $isReached false if the connection was never made, so that nothing can have arrived */
    public function __construct(public readonly bool $isReached)
    {
        parent::__construct($isReached ? 'no answer' : 'no connection');
    }
}
