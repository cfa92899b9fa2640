/** What a program sends. */
export type Sent = 'page view' | 'event';

/** What the snippets need to know about the website. */
export type SnippetValues = { origin: string; domain: string; key: string };

export type Programs = {
  /** A program that sends a record, as it would appear in the customer's backend. */
  write: (sent: Sent) => string;
  /** Receives what the script in the page sends. The command line has none, and PHP needs no other. */
  endpoint: string | undefined;
};

/**
 * Reads the file of a language. It has the names of values in double braces, `{{#event}}…{{/event}}` around
 * what only an event has and `{{^event}}…{{/event}}` around what it has not, and the endpoint below a line
 * with `{{endpoint}}`.
 */
export function readSnippet(text: string, values: SnippetValues): Programs {
  const [program = '', endpoint] = text.split('{{endpoint}}\n');
  return {
    write: (sent) => fillIn(chooseParts(program, sent), { ...values, sent, path: paths[sent] }),
    endpoint: endpoint && fillIn(endpoint, values),
  };
}

const paths: Readonly<Record<Sent, string>> = { 'page view': 'page-view', event: 'event-view' };

const chooseParts = (text: string, sent: Sent) =>
  text.replace(/\{\{([#^])event\}\}(.*?)\{\{\/event\}\}/gs, (_whole, sign, part) =>
    (sign === '#') === (sent === 'event') ? part : '',
  );

const fillIn = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_whole, name) => values[name]!);
