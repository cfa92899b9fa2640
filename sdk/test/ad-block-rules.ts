/**
 * Patterns like those in the public lists against ads and trackers (EasyList, EasyPrivacy), separated by
 * spaces. They are broader than the lists if in doubt, because the lists grow, and our default names should
 * not match them.
 */
const list = `
! services by host
||google-analytics.com^ ||googletagmanager.com^ ||doubleclick.net^ ||hotjar.com^ ||mixpanel.com^
||plausible.io^ ||umami.is^ ||usefathom.com^ ||simpleanalyticscdn.com^ ||segment.io^ ||clarity.ms^
||posthog.com^ ||matomo.cloud^
! hosts by first label
://analytics. ://stats.*/script.js ://track.*/collect ://tracking.*/event ://pixel. ://matomo.
! scripts and endpoints of services, wherever they are
/google-analytics. /googleanalytics. /analytics.js /ga.js /gtag/js? /gtag.js /gtm.js
/matomo.js /matomo.php /matomo/*
/piwik. /piwik/* /plausible.js /js/plausible. /umami.js /fathom.js /fbevents.js /hotjar- /mixpanel. /snowplow.
! words of the trade
/analytics /analytics. /analytics/* /analytics? -analytics. _analytics. .analytics. /api/analytics
/collect /collect? /collect/* /collector. -collector/ _collect. /r/collect? /g/collect?
/track /track. /track/* /track? /track| /tracker. /tracker/* /tracking _tracking. -tracking.
/event /event.js /event? /event/* /events/* /api/event| -event-tracking. /eventlog? /log_event
/beacon /beacon. /beacon? /beacon/* _beacon. /pixel /pixel. /pixel? /pixel/* -pixel.
/stats /stats. /stats? /stats/* _stats. -stats/ /statistics/* /stat. /metrics /metrics/*
/telemetry -telemetry. /hit. /hit? /hits/* /counter. /count? /pageview /page_view? /visit? /visitor.
/impression? /log? /log/* /logger.
/ping? /rum/* /utm.gif /__utm. /fingerprint. /heatmap /clicktrack /insight. /tag.js /smarttag- /api/send|
! advertisements, which have places on a page too
/ads/* /ad.js /ads. /adserver/* /banner/* -ad- /side-ad. /side-ads- /side_ad /sidead. /sideads /sidebar-ad-
/sidebar_ad /sidebarAnalytic? /sidtracker. /sponsor- /popunder.
! what addresses carry
&referrer= ?referrer= &screen= &t=pageview& ?event=pageview& &http_referer= .gif?*&url=
`;

export const adBlockRules: readonly string[] = list
  .split('\n')
  .filter((line) => !line.startsWith('!'))
  .flatMap((line) => line.split(' '))
  .filter((rule) => rule !== '');
