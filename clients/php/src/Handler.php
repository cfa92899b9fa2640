<?php

declare(strict_types=1);

namespace Trackside;

use InvalidArgumentException;
use Throwable;

/** The endpoint for the browser script, the page counter, and events of the backend. */
final class Handler
{
    private const MAX_BODY_BYTES = 32 * 1024;
    private const MAX_USER_AGENT_LENGTH = 2048;
    private const MAX_CLIENT_ID_UNITS = 512;
    private const ORIGIN_ADVICE = 'list it in origins if it is yours, '
        . 'and set proxies if yours looks different to visitors';
    private const FORWARDING = [
        'x-forwarded-for', 'forwarded', 'cf-connecting-ip', 'fly-client-ip', 'x-vercel-forwarded-for',
        'x-nf-client-connection-ip',
    ];

    private readonly VisitorFinder $visitors;
    /** @var list<Site> */
    private readonly array $listed;
    private readonly string $script;
    /** @var callable(Fault): void */
    private $onError;

    /**
     * @param list<callable> $location sources; the first that knows a country counts
     * @param string $language of visitors whose language has no two-letter code
     * @param ?callable $clientId returns your id for the visitor of a Request, or null
     * @param list<string> $origins further origins whose pages may send
     * @param ?callable $ignore returns true for URLs of pages that should not be counted
     * @param ?callable(Fault): void $onError called when settings look wrong or a callback fails
     */
    public function __construct(
        private readonly Tracker $trackside,
        private readonly string $path = '/side',
        ?Proxies $proxies = null,
        private readonly array $location = [],
        private readonly string $language = 'en',
        private $clientId = null,
        array $origins = [],
        private readonly bool $respectDoNotTrack = false,
        private $ignore = null,
        ?callable $onError = null,
    ) {
        if (preg_match('~^/[^?#\s]*[^?#\s/]$~D', $path) !== 1) {
            throw new InvalidArgumentException('path: expected one such as "/side"');
        }
        if (!Languages::isCode($language)) {
            throw new InvalidArgumentException('language: expected two letters of ISO 639-1 such as "en"');
        }
        $this->visitors = new VisitorFinder($proxies);
        $this->listed = array_map(self::readListed(...), array_values($origins));
        $this->script = $respectDoNotTrack ? Data::RESPECTFUL_SCRIPT : Data::SCRIPT;
        $this->onError = $onError ?? static function (Fault $fault): void {
            error_log("Trackside: $fault->kind: $fault->message");
        };
    }

    /** Answers if the request is for the endpoint, and returns whether it was: `if ($handler->serve()) exit;` */
    public function serve(?Request $request = null): bool
    {
        $request ??= Request::fromGlobals();
        if (!$this->matches($request)) {
            return false;
        }
        $body = file_get_contents('php://input', false, null, 0, self::MAX_BODY_BYTES + 1);
        $this->answer($request, (string) $body)->send();
        return true;
    }

    /** Counts the page that this script sends, once it is sent. Call it at the beginning. */
    public function countPage(?Request $request = null): void
    {
        $request ??= Request::fromGlobals();
        register_shutdown_function(function () use ($request): void {
            $status = http_response_code();
            $this->count($request, is_int($status) ? $status : 200, self::sentType());
        });
    }

    /**
     * Records an event for the visitor of a request. Returns at once and never throws.
     *
     * @param array<int|string, mixed> $parameters
     */
    public function trackEvent(string $name, array $parameters = [], ?Request $request = null): void
    {
        try {
            $request ??= Request::fromGlobals();
            $ip = $this->isRefusedByVisitor($request) ? null : $this->readIp($request);
            if ($ip === null) {
                return;
            }
            $page = $this->visitors->origin($request) . $request->pathAndQuery();
            $referrer = self::readReferrer($request);
            // The visitor sees the page that the form or script was sent from.
            $isOwn = $referrer !== null && Site::read($referrer)?->host === Site::read($page)?->host;
            if ($isOwn && $request->method !== 'GET') {
                [$page, $referrer] = [$referrer, null];
            }
            $metrics = $this->describeRequest($request, $ip, $page, $referrer);
            $this->trackside->trackEvent($name, $parameters, $metrics);
        } catch (Throwable $cause) {
            $this->report($cause);
        }
    }

    public function matches(Request $request): bool
    {
        return in_array($request->path(), [$this->path, "$this->path/"], true);
    }

    /** Returns the answer of the endpoint. Never throws. */
    public function answer(Request $request, string $body): Answer
    {
        try {
            return match ($request->method) {
                'GET', 'HEAD' => Answer::script($request, $this->script, $this->listed !== []),
                'POST' => $this->take($request, $body),
                'OPTIONS' => Answer::preflight($this->judgeSender($request)[1] ?? null),
                default => Answer::refused(
                    405,
                    'Method: expected one of ' . Answer::METHODS,
                    null,
                    ['Allow' => Answer::METHODS]
                ),
            };
        } catch (Throwable $cause) {
            // Visitors can do nothing about our faults, and should not see them.
            $this->report($cause);
            return Answer::taken(null);
        }
    }

    /** Records a page view if the answer was a page. Never throws. */
    public function count(Request $request, int $status, ?string $contentType): void
    {
        try {
            $isPage = PageLoads::isPageLoad($request) && PageLoads::isPage($status, $contentType, $request);
            if (!$isPage || $this->matches($request) || $this->isRefusedByVisitor($request)) {
                return;
            }
            $page = $this->visitors->origin($request) . $request->pathAndQuery();
            if (!Site::isPage($page) || $this->ignore !== null && ($this->ignore)($page)) {
                return;
            }
            $ip = $this->readIp($request);
            if ($ip !== null) {
                $metrics = $this->describeRequest($request, $ip, $page, self::readReferrer($request));
                $this->trackside->trackPageView($metrics);
            }
        } catch (Throwable $cause) {
            $this->report($cause);
        }
    }

    private function take(Request $request, string $body): Answer
    {
        $origin = $this->visitors->origin($request);
        $sender = $this->judgeSender($request);
        if ($sender === null) {
            $text = "Origin: expected a page of $origin, got another origin or none; " . self::ORIGIN_ADVICE;
            return Answer::refused(403, $text, null);
        }
        [$host, $allowed] = $sender;
        if ($this->isRefusedByVisitor($request)) {
            return Answer::taken($allowed);
        }
        if (strlen($body) > self::MAX_BODY_BYTES) {
            return Answer::refused(413, 'Body: expected at most ' . self::MAX_BODY_BYTES . ' bytes, got more', $allowed);
        }
        try {
            $seen = Collected::read($body);
        } catch (WrongBody $fault) {
            return Answer::refused(400, $fault->getMessage(), $allowed);
        }
        $own = array_map(static fn (Site $site): string => $site->host, $this->listed);
        if (!in_array(Site::read($seen->page)?->host, [$host, Site::read($origin)?->host, ...$own], true)) {
            $text = "Absolute: expected a page of $origin, got one of another host; " . self::ORIGIN_ADVICE;
            return Answer::refused(403, $text, $allowed);
        }
        $ip = $this->readIp($request);
        if ($ip !== null) {
            $this->recordSeen($request, $ip, $seen);
        }
        return Answer::taken($allowed);
    }

    private function recordSeen(Request $request, string $ip, Collected $seen): void
    {
        $language = Languages::read($seen->language, strtolower($this->language));
        $screen = ['Width' => $seen->width, 'Height' => $seen->height];
        $metrics = $this->describe($request, $ip, $language, $seen->page, $seen->referrer, $screen);
        if ($seen->name === null) {
            $this->trackside->trackPageView($metrics);
        } else {
            $this->trackside->trackEvent($seen->name, $seen->parameters, $metrics);
        }
    }

    /**
     * Decides whose page sent a request. Browsers say so themselves, and no script can change it.
     *
     * @return ?array{?string, ?string} the page's host, and its origin if it has to be allowed
     */
    private function judgeSender(Request $request): ?array
    {
        $fetchSite = $request->header('sec-fetch-site');
        $source = Site::read($request->header('origin') ?? $request->header('referer'));
        // This holds even behind a proxy that changes the host.
        if ($fetchSite === 'same-origin') {
            return [$source?->host, null];
        }
        if ($source === null) {
            return null;
        }
        foreach ($this->listed as $listed) {
            if ($listed->origin() === $source->origin()) {
                return [$source->host, $source->origin()];
            }
        }
        if ($fetchSite === 'same-site' || $fetchSite === 'cross-site') {
            return null;
        }
        // Only the host, because the scheme looks different behind a proxy that ends TLS.
        $own = Site::read($this->visitors->origin($request));
        return $source->host === $own?->host ? [$source->host, null] : null;
    }

    /** @return array<string, mixed> */
    private function describeRequest(Request $request, string $ip, string $page, ?string $referrer): array
    {
        $language = Languages::readAccepted($request->header('accept-language'), strtolower($this->language));
        return $this->describe($request, $ip, $language, $page, $referrer, ['Width' => 0, 'Height' => 0]);
    }

    /**
     * @param array{Width: int|float, Height: int|float} $screen
     * @return array<string, mixed>
     */
    private function describe(
        Request $request,
        string $ip,
        string $language,
        string $page,
        ?string $referrer,
        array $screen,
    ): array {
        $userAgent = substr($request->header('user-agent') ?? '', 0, self::MAX_USER_AGENT_LENGTH);
        return [
            'Browser' => ['IP' => $ip, 'UserAgent' => Text::fromLatin1($userAgent)],
            'Identify' => ['ClientId' => $this->identify($request)],
            'Language' => ['Code' => $language],
            'Page' => ['Absolute' => $page],
            'Referrer' => ['Absolute' => $referrer],
            'Screen' => $screen,
            'Location' => $this->locate($request, $ip),
        ];
    }

    private function identify(Request $request): ?string
    {
        try {
            $id = $this->clientId === null ? null : ($this->clientId)($request);
        } catch (Throwable $cause) {
            $this->tellWithout('clientId', $cause);
            return null;
        }
        $text = is_int($id) ? (string) $id : $id;
        if ($text === null || $text === '') {
            return null;
        }
        if (is_string($text) && Text::countUnits($text) <= self::MAX_CLIENT_ID_UNITS) {
            return $text;
        }
        $this->tellWithout('clientId');
        return null;
    }

    /** @return array<string, ?string> */
    private function locate(Request $request, string $ip): array
    {
        $first = null;
        foreach ($this->location as $source) {
            try {
                $found = Locations::complete($source($request, $ip));
            } catch (Throwable $cause) {
                $this->tellWithout('location', $cause);
                continue;
            }
            if ($found['CountryCode'] !== null) {
                return $found;
            }
            $first ??= $found;
        }
        return $first ?? Locations::complete(null);
    }

    private function isRefusedByVisitor(Request $request): bool
    {
        return $this->respectDoNotTrack && ($request->header('dnt') === '1' || $request->header('sec-gpc') === '1');
    }

    /** If the address is unknown or a proxy's, only the settings can help, so that is reported. */
    private function readIp(Request $request): ?string
    {
        [$ip, $hops] = $this->visitors->find($request);
        if ($ip === null) {
            $message = "The visitor's address is not known, so nothing was recorded: set or correct proxies.";
            $this->tell(new Fault('no-address', $message));
        } elseif ($hops === 0 && !Addresses::isPublic($ip)) {
            foreach (self::FORWARDING as $name) {
                if ($request->header($name) !== null) {
                    $message = "Requests come from an inner address with $name, so a proxy stands in front, "
                        . 'and all visitors are counted as one: set proxies.';
                    $this->tell(new Fault('proxies', $message));
                    break;
                }
            }
        }
        return $ip;
    }

    private function tellWithout(string $what, ?Throwable $cause = null): void
    {
        $this->tell(new Fault('callback', "$what: failed or was too long, so the record was sent without it", $cause));
    }

    private function report(Throwable $cause): void
    {
        $this->tell(new Fault('unexpected', 'Expected to handle the request, got an exception.', $cause));
    }

    private function tell(Fault $fault): void
    {
        try {
            ($this->onError)($fault);
        } catch (Throwable) {
            // A program's own function that fails must not become the problem of any request.
        }
    }

    private static function readReferrer(Request $request): ?string
    {
        $referrer = Text::fromLatin1($request->header('referer') ?? '');
        return Site::isReferrer($referrer) ? $referrer : null;
    }

    private static function readListed(string $origin): Site
    {
        $site = Site::read($origin);
        $isRight = $site !== null && preg_match('~^https?://[^/?#@]+/?$~iD', $origin) === 1;
        return $isRight ? $site : throw new InvalidArgumentException(
            'origins: expected one such as "https://www.shop.example"'
        );
    }

    private static function sentType(): ?string
    {
        foreach (headers_list() as $header) {
            if (stripos($header, 'content-type:') === 0) {
                return trim(substr($header, 13));
            }
        }
        // PHP adds its own type where nobody names one.
        $type = (string) ini_get('default_mimetype');
        return $type === '' ? null : $type;
    }
}
