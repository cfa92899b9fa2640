import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Listing } from './listing.ts';

const ofVisits = ['visitors', 'visits', 'pageViews', 'bounceRate', 'visitDuration'] as const;

const visits = (
  dimension: DimensionName,
  label: string,
  heading: string,
  plural: string,
  metrics: Listing['metrics'] = ofVisits,
): Listing => ({ id: dimension, label, heading, plural, key: { dimension }, metrics });

export const sourceListings = [
  visits('source', 'Sources', 'Source', 'sources'),
  visits('channel', 'Channels', 'Channel', 'channels'),
  visits('referrer', 'Referrers', 'Referrer', 'referrers'),
] as const;

/** The lists of the UTM tab. */
export const campaignListings = [
  visits('utmSource', 'Source', 'UTM source', 'UTM sources'),
  visits('utmMedium', 'Medium', 'UTM medium', 'UTM mediums'),
  visits('utmCampaign', 'Campaign', 'UTM campaign', 'UTM campaigns'),
  visits('utmTerm', 'Term', 'UTM term', 'UTM terms'),
  visits('utmContent', 'Content', 'UTM content', 'UTM contents'),
] as const;

export const pageListings = [
  visits('page', 'Top', 'Page', 'pages'),
  visits('entryPage', 'Entry', 'Entry page', 'entry pages'),
  visits('exitPage', 'Exit', 'Exit page', 'exit pages'),
] as const;

export const locationListings = [
  visits('country', 'Countries', 'Country', 'countries'),
  visits('region', 'Regions', 'Region', 'regions'),
  visits('city', 'Cities', 'City', 'cities'),
  visits('language', 'Languages', 'Language', 'languages'),
] as const;

export const deviceListings = [
  {
    ...visits('browser', 'Browser', 'Browser', 'browsers'),
    finer: visits('browserVersion', 'Versions', 'Browser and version', 'browser versions'),
  },
  {
    ...visits('os', 'OS', 'Operating system', 'operating systems'),
    finer: visits('osVersion', 'Versions', 'System and version', 'system versions'),
  },
  visits('device', 'Device', 'Device', 'devices'),
  visits('screenSize', 'Screen', 'Screen size', 'screen sizes'),
] as const;

export const eventListing = visits('event', 'Events', 'Event', 'events', ['events', 'visitors', 'visits']);
