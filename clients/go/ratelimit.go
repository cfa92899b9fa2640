package trackside

import (
	"container/list"
	"hash/fnv"
	"net/netip"
	"sync"
	"time"
)

const (
	// A whole office or a mobile network can be behind one address.
	visitorsOfAddress = 10
	// A few megabytes: more visitors than one server has in a minute.
	maxBuckets = 20_000
)

// rateLimit limits the records of a visitor, which is an address (of IPv6 its
// /64) with a user agent. A user agent is easily forged, so an address has a
// limit, too.
type rateLimit struct {
	mu        sync.Mutex
	visitors  buckets
	addresses buckets
}

type visitorKey struct {
	network   netip.Prefix
	userAgent uint64
}

func newRateLimit(perMinute float64) *rateLimit {
	return &rateLimit{visitors: newBuckets(perMinute), addresses: newBuckets(perMinute * visitorsOfAddress)}
}

// take counts one record. It returns 0, or how long until the next is allowed.
func (l *rateLimit) take(address netip.Addr, userAgent string, now time.Time) time.Duration {
	// A household has a /64 to itself, and its devices take new addresses at will.
	bits := 64
	if address.Is4() {
		bits = 32
	}
	network, err := address.Prefix(bits)
	if err != nil {
		return 0
	}
	agent := fnv.New64a()
	agent.Write([]byte(userAgent))
	l.mu.Lock()
	defer l.mu.Unlock()
	if wait := l.addresses.take(visitorKey{network: network}, now); wait > 0 {
		return wait
	}
	return l.visitors.take(visitorKey{network, agent.Sum64()}, now)
}

// buckets hold tokens for each key, full at first and refilled over a minute.
// The key that was unused the longest is forgotten first.
type buckets struct {
	perMinute float64
	byKey     map[visitorKey]*list.Element
	byUse     *list.List
}

type bucket struct {
	key    visitorKey
	tokens float64
	at     time.Time
}

func newBuckets(perMinute float64) buckets {
	return buckets{perMinute, map[visitorKey]*list.Element{}, list.New()}
}

func (b *buckets) take(key visitorKey, now time.Time) time.Duration {
	capacity := max(1, b.perMinute)
	element := b.byKey[key]
	if element == nil {
		if b.byUse.Len() >= maxBuckets {
			oldest := b.byUse.Remove(b.byUse.Front()).(*bucket)
			delete(b.byKey, oldest.key)
		}
		element = b.byUse.PushBack(&bucket{key, capacity, now})
		b.byKey[key] = element
	}
	b.byUse.MoveToBack(element)
	one := element.Value.(*bucket)
	one.tokens = min(capacity, one.tokens+now.Sub(one.at).Minutes()*b.perMinute)
	one.at = now
	if one.tokens < 1 {
		return time.Duration((1 - one.tokens) / b.perMinute * float64(time.Minute))
	}
	one.tokens--
	return 0
}
