<?php

declare(strict_types=1);

namespace Trackside;

/** Distinguishes page loads from all other requests. */
final class PageLoads
{
    private const AHEAD_HEADERS = ['sec-purpose', 'x-sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
    /** Headers of scripts that load parts of pages. */
    private const PIECE_HEADERS = ['hx-request', 'turbo-frame', 'rsc', 'next-router-prefetch', 'x-nextjs-data'];
    private const HEALTH_AGENTS = '~kube-probe|ELB-HealthChecker|GoogleHC|GoogleStackdriverMonitoring'
        . '|Consul Health Check|Route ?53-Health-Check|Cloudflare-(?:Healthchecks|Traffic-Manager)'
        . '|Edge Health Probe|Load Balancer Agent|Envoy/HC|HAProxy~i';

    /** Returns whether a person asks for a page, as far as that is known before the answer. */
    public static function isPageLoad(Request $request): bool
    {
        $isOther = $request->method !== 'GET'
            || ($request->header('sec-fetch-dest') ?? 'document') !== 'document'
            || ($request->header('sec-fetch-mode') ?? 'navigate') !== 'navigate'
            || $request->header('range') !== null
            || strtolower($request->header('x-requested-with') ?? '') === 'xmlhttprequest';
        if ($isOther) {
            return false;
        }
        foreach (self::PIECE_HEADERS as $name) {
            if ($request->header($name) !== null) {
                return false;
            }
        }
        foreach (self::AHEAD_HEADERS as $name) {
            if (preg_match('/prefetch|prerender|preview|instant/i', $request->header($name) ?? '') === 1) {
                return false;
            }
        }
        return preg_match(self::HEALTH_AGENTS, $request->header('user-agent') ?? '') !== 1
            && preg_match('~^/(?:health|healthz|livez|readyz|ping|up|status)$~D', $request->path()) !== 1;
    }

    /** Returns whether the answer was a page. A 304 has no type, so the request shows what was asked for. */
    public static function isPage(int $status, ?string $contentType, Request $request): bool
    {
        if ($status === 304 && $contentType === null) {
            return $request->header('sec-fetch-dest') === 'document'
                || str_contains(strtolower($request->header('accept') ?? ''), 'text/html');
        }
        $isGood = $status >= 200 && $status <= 299 || $status === 304;
        return $isGood && preg_match('~^\s*(?:text/html|application/xhtml\+xml)\s*(?:;|$)~i', $contentType ?? '') === 1;
    }
}
