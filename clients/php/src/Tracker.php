<?php

declare(strict_types=1);

namespace Trackside;

/** The part of the client that a handler needs. */
interface Tracker
{
    /** @param array<string, mixed> $metrics */
    public function trackPageView(array $metrics): void;

    /**
     * @param array<int|string, mixed> $parameters
     * @param array<string, mixed> $metrics
     */
    public function trackEvent(string $name, array $parameters, array $metrics): void;
}
