import type { Metrics } from '../intake/steps/validate.ts';
import { createChoice, type Weighted } from './create-choice.ts';
import type { Random } from './create-random.ts';
import { type Agent, type DeviceClass, demoAgents, demoDevices, versionsAt } from './demo-agents.ts';
import { type Country, demoCountries } from './demo-locations.ts';

/** A visitor as the customer's backend sees one, without the page. */
export type Person = Omit<Metrics, 'Page' | 'Referrer'> & { country: string; timezone: string };

export type PersonOptions = { random: Random; atMs: number; isWeekend: boolean; clientId: string | null };

/** How many releases behind someone's browser is. */
const lags: Weighted<number> = [
  [74, 0],
  [18, 1],
  [5, 2],
  [3, 5],
];

/**
 * Creates a function that makes visitors whose country, city, timezone, language, browser and screen fit
 * together.
 */
export function createPersonMaker(): (options: PersonOptions) => Person {
  const chooseCountry = createChoice(
    demoCountries.map(([weight, country]) => [weight, toChoices(country)] as const),
  );
  const chooseDevice = {
    weekday: createChoice(demoDevices.weekday),
    weekend: createChoice(demoDevices.weekend),
  };
  const chooseAgent: Record<DeviceClass, (random: Random) => ReturnType<typeof toAgentChoices>> = {
    desktop: createChoice(demoAgents.desktop.map(([weight, agent]) => [weight, toAgentChoices(agent)])),
    mobile: createChoice(demoAgents.mobile.map(([weight, agent]) => [weight, toAgentChoices(agent)])),
    tablet: createChoice(demoAgents.tablet.map(([weight, agent]) => [weight, toAgentChoices(agent)])),
  };
  const chooseLag = createChoice(lags);

  return ({ random, atMs, isWeekend, clientId }) => {
    const { country, choosePlace } = chooseCountry(random);
    const { place, chooseLanguage } = choosePlace(random);
    const device = chooseDevice[isWeekend ? 'weekend' : 'weekday'](random);
    const { agent, chooseScreen } = chooseAgent[device](random);
    const current = versionsAt(atMs);
    const lag = chooseLag(random);
    const [Width, Height] = chooseScreen(random);
    return {
      country: country.code,
      timezone: place.timezone,
      Browser: {
        IP: makeAddress(random),
        UserAgent: agent.userAgent({
          ...current,
          chrome: current.chrome - lag,
          firefox: current.firefox - lag,
        }),
      },
      Identify: { ClientId: clientId },
      Language: { Code: chooseLanguage(random) },
      Screen: { Width, Height },
      Location: {
        ContinentCode: country.continent,
        CountryCode: country.code,
        City: place.city,
        PostalCode: random.pick(place.postalCodes),
        Region: place.region,
        RegionCode: place.regionCode,
        Timezone: place.timezone,
      },
    };
  };
}

/** Makes an IP address that only serves to tell visitors apart. It is not stored, as in any other record. */
export function makeAddress(random: Random): string {
  return [
    random.between(11, 223),
    random.between(0, 255),
    random.between(0, 255),
    random.between(1, 254),
  ].join('.');
}

function toChoices(country: Country) {
  const choosePlace = createChoice(
    country.places.map(
      ([weight, place]) =>
        [weight, { place, chooseLanguage: createChoice(place.languages ?? country.languages) }] as const,
    ),
  );
  return { country, choosePlace };
}

function toAgentChoices(agent: Agent) {
  return { agent, chooseScreen: createChoice(agent.screens) };
}
