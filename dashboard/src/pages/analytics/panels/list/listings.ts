import type { Listing } from './listing.ts';

const ofVisits = ['visitors', 'visits', 'pageViews', 'viewsPerVisit', 'bounceRate', 'visitDuration'] as const;

const visits = (id: Listing['id'], metrics: Listing['metrics'] = ofVisits): Listing => ({
  id,
  key: { dimension: id },
  metrics,
});

const sources: Listing = { ...visits('source'), finer: visits('referrer') };

export const sourceListings = [
  sources,
  { ...visits('channel'), finer: sources },
  visits('referrer'),
] as const;

/** The lists of the UTM tab. */
export const campaignListings = [
  visits('utmSource'),
  visits('utmMedium'),
  visits('utmCampaign'),
  visits('utmTerm'),
  visits('utmContent'),
] as const;

export const pageListings = [visits('page'), visits('entryPage'), visits('exitPage')] as const;

const regions: Listing = { ...visits('region'), finer: visits('city') };

export const locationListings = [
  { ...visits('country'), finer: regions },
  regions,
  visits('city'),
  visits('language'),
] as const;

export const deviceListings = [
  { ...visits('browser'), finer: visits('browserVersion') },
  { ...visits('os'), finer: visits('osVersion') },
  visits('device'),
  visits('screenSize'),
] as const;

export const eventListing = visits('event', ['events', 'visitors', 'visits', 'eventsPerVisitor']);
