<?php

declare(strict_types=1);

namespace Trackside;

/** Finds the visitor behind the proxies that are trusted, and nobody behind those that are not. */
final class VisitorFinder
{
    public function __construct(private readonly ?Proxies $proxies)
    {
    }

    /**
     * @return array{?string, int, ?string} the address, or null if it cannot be known; how many of our
     *     proxies the request came through; and what the outermost of them wrote into Forwarded
     */
    public function find(Request $request): array
    {
        $peer = Addresses::read($request->peer);
        return match (true) {
            $this->proxies === null => [$peer, 0, null],
            $this->proxies->header !== null => $this->findByHeader($request, $peer, $this->proxies->header),
            $this->proxies->hops !== null => $this->findByHops($request, $peer, $this->proxies->hops),
            default => $this->findByNetworks($request, $peer, $this->proxies->networks ?? []),
        };
    }

    /** Returns scheme and host as the visitor sees them. */
    public function origin(Request $request): string
    {
        [, $hops, $element] = $this->find($request);
        $scheme = $request->scheme;
        $host = null;
        if ($hops > 0) {
            $proto = strtolower($this->readPart($request, $hops, $element, 'proto') ?? '');
            $scheme = in_array($proto, ['http', 'https'], true) ? $proto : $scheme;
            $host = $this->readPart($request, $hops, $element, 'host');
        }
        // The port that the request itself leaves out is that of its own scheme.
        $own = Site::make($request->scheme, $request->host());
        $site = Site::make($scheme, $host ?? '') ?? Site::make($scheme, $own?->host ?? '');
        return $site?->origin() ?? "$scheme://localhost";
    }

    private function readPart(Request $request, int $hops, ?string $element, string $part): ?string
    {
        if ($this->isForwarded()) {
            return $element === null ? null : ForwardedList::readPair($element, $part);
        }
        return ForwardedList::pick($request->header("x-forwarded-$part"), $hops);
    }

    /** @return array{?string, int, ?string} */
    private function findByHops(Request $request, ?string $peer, int $most): array
    {
        $hops = 0;
        $last = null;
        foreach (ForwardedList::fromRight($request->header($this->list())) as $element) {
            $last = $element;
            if (++$hops === $most) {
                break;
            }
        }
        return $last === null ? self::unproxied($peer) : [$this->readElement($last), $hops, $last];
    }

    /**
     * @param list<array{string, int}> $networks
     * @return array{?string, int, ?string}
     */
    private function findByNetworks(Request $request, ?string $peer, array $networks): array
    {
        if ($peer === null || !Addresses::isInside($peer, $networks)) {
            return [$peer, 0, null];
        }
        $hops = 0;
        // A proxy that forwards nothing is not a visitor itself.
        $found = [null, 1, null];
        foreach (ForwardedList::fromRight($request->header($this->list())) as $element) {
            $ip = $this->readElement($element);
            $found = [$ip, ++$hops, $element];
            if ($ip === null || !Addresses::isInside($ip, $networks)) {
                break;
            }
        }
        return $found;
    }

    /** @return array{?string, int, ?string} */
    private function findByHeader(Request $request, ?string $peer, string $header): array
    {
        $networks = $this->proxies?->networks;
        if ($networks !== null && ($peer === null || !Addresses::isInside($peer, $networks))) {
            return [$peer, 0, null];
        }
        // If the header came twice, the platform added the last one.
        $value = ForwardedList::pick($request->header($header), 1);
        if ($value === null) {
            return self::unproxied($peer);
        }
        $isCloudFront = $header === 'cloudfront-viewer-address';
        return [$isCloudFront ? Addresses::readWithPort($value) : Addresses::read($value), 1, null];
    }

    /**
     * A public peer that forwards nothing bypassed the proxy. An internal one is the proxy itself.
     *
     * @return array{?string, int, ?string}
     */
    private static function unproxied(?string $peer): array
    {
        return [$peer !== null && Addresses::isPublic($peer) ? $peer : null, 0, null];
    }

    private function readElement(string $element): ?string
    {
        return Addresses::read($this->isForwarded() ? ForwardedList::readPair($element, 'for') : $element);
    }

    private function isForwarded(): bool
    {
        return $this->list() === 'forwarded';
    }

    private function list(): string
    {
        return $this->proxies->list ?? 'x-forwarded-for';
    }
}
