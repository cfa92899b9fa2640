<?php

declare(strict_types=1);

namespace Trackside;

/** What a handler needs of the client. */
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
