import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import {
  expected,
  maxPixels,
  orNull,
  pageUrl,
  type Rule,
  referrerUrl,
} from '@trackside/contract/tracking/field-rules.ts';
import { findFaults, spellBodyFault } from '@trackside/contract/tracking/find-faults.ts';

/** What a browser said about itself and its page. It is validated, so every value can be sent on. */
export type Collected = {
  width: number;
  height: number;
  /** As the browser writes it: `en-US`. */
  language: string | undefined;
  referrer: string | null;
  page: string;
  event: { name: string; parameters: { Name: string; Value: string }[] } | undefined;
};

export type CollectedResult = { kind: 'collected'; collected: Collected } | { kind: 'fault'; text: string };

/**
 * A browser that hides its screen may send any number. Only a value that is not a number means a wrong
 * sender.
 */
const pixels: Rule = (value) => (typeof value === 'number' ? undefined : expected('a number', value));

/** Values are directly in the body or in a parameter. Anything nested deeper is refused by its type. */
const viewRules = { ScreenWidth: orNull(pixels), ScreenHeight: orNull(pixels), Absolute: pageUrl };
const eventRules = { ...viewRules, Name: bodyRules.event.Name, Parameters: bodyRules.event.Parameters };

/** Reads what the browser script sends, or says what is wrong with it in the interface's own words. */
export function readCollected(text: string): CollectedResult {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return fault(`Body: expected a JSON object, got ${text === '' ? 'nothing' : 'text that is not JSON'}`);
  }
  if (!hasEventMember(json)) return judge(viewRules, json);
  return judge(eventRules, { ...json, Parameters: toParameterList(json) });
}

function judge(rules: typeof viewRules | typeof eventRules, body: unknown): CollectedResult {
  const found = findFaults(rules, body);
  if (found !== undefined) return fault(spellBodyFault(found));
  return { kind: 'collected', collected: toCollected(body as Body, rules === eventRules) };
}

type Body = {
  ScreenWidth?: number | null;
  ScreenHeight?: number | null;
  Language?: unknown;
  Referrer?: unknown;
  Absolute: string;
  Name: string;
  Parameters: { Name: string; Value: string }[];
};

function toCollected(body: Body, isEvent: boolean): Collected {
  const { Referrer: referrer, Language: language } = body;
  const hasReferrer = typeof referrer === 'string' && referrer !== '' && referrerUrl(referrer) === undefined;
  const parameters = () => body.Parameters.map(({ Name, Value }) => ({ Name, Value }));
  return {
    width: clamp(body.ScreenWidth),
    height: clamp(body.ScreenHeight),
    language: typeof language === 'string' ? language : undefined,
    referrer: hasReferrer ? referrer : null,
    page: body.Absolute,
    event: isEvent ? { name: body.Name, parameters: parameters() } : undefined,
  };
}

const clamp = (value: number | null | undefined) => Math.min(Math.max(value ?? 0, 0), maxPixels);

/** Ignores letter case, so that `name` is reported as a fault instead of being counted as a page view. */
function hasEventMember(json: unknown): json is Record<string, unknown> {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
  return Object.keys(json).some((name) => /^(?:name|parameters)$/i.test(name));
}

/** Turns numbers and booleans into text, so that a page can send them as they are. */
function toParameterList(json: Record<string, unknown>): unknown {
  const given = Object.hasOwn(json, 'Parameters') ? json.Parameters : undefined;
  if (given === undefined || given === null) return [];
  if (typeof given !== 'object') return given;
  if (!Array.isArray(given)) {
    return Object.entries(given).map(([Name, value]) => ({ Name, Value: toText(value) }));
  }
  return given.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'Value' in each
      ? { ...each, Value: toText(each.Value) }
      : each,
  );
}

const toText = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

const fault = (text: string): CollectedResult => ({ kind: 'fault', text });
