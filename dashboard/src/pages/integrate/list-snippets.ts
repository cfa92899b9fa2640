import { csharpEndpoint, csharpSnippet } from './snippets/csharp.ts';
import { curlSnippet } from './snippets/curl.ts';
import { goEndpoint, goSnippet } from './snippets/go.ts';
import { javaEndpoint, javaSnippet } from './snippets/java.ts';
import { nodeEndpoint, nodeSnippet } from './snippets/node.ts';
import { phpSnippet } from './snippets/php.ts';
import { pythonEndpoint, pythonSnippet } from './snippets/python.ts';
import { rubyEndpoint, rubySnippet } from './snippets/ruby.ts';
import type { Sent } from './snippets/sent.ts';

/** Writes a program that sends a record, as it would appear in the customer's backend. */
export type WriteSnippet = (origin: string, domain: string, key: string, sent: Sent) => string;

export type Language = 'curl' | 'node' | 'python' | 'php' | 'csharp' | 'go' | 'ruby' | 'java';

export type Snippet = {
  id: Language;
  label: string;
  comment: '#' | '//';
  write: WriteSnippet;
  /** Receives what the script in the page sends. The command line has none. */
  endpoint?: (origin: string, key: string) => string;
};

export const snippets: readonly Snippet[] = [
  { id: 'curl', label: 'curl', comment: '#', write: curlSnippet },
  { id: 'node', label: 'Node', comment: '//', write: nodeSnippet, endpoint: nodeEndpoint },
  { id: 'python', label: 'Python', comment: '#', write: pythonSnippet, endpoint: () => pythonEndpoint },
  { id: 'php', label: 'PHP', comment: '//', write: phpSnippet },
  { id: 'csharp', label: 'C#', comment: '//', write: csharpSnippet, endpoint: () => csharpEndpoint },
  { id: 'go', label: 'Go', comment: '//', write: goSnippet, endpoint: () => goEndpoint },
  { id: 'ruby', label: 'Ruby', comment: '#', write: rubySnippet, endpoint: () => rubyEndpoint },
  { id: 'java', label: 'Java', comment: '//', write: javaSnippet, endpoint: () => javaEndpoint },
];

/** The placeholder in the snippets until somebody asks for the key. */
export const keyPlaceholder = 'YOUR_API_KEY';

/** The script of a page. The SDK serves its own, which also counts pages of single-page applications. */
export const scriptFor = (language: Language): string =>
  language === 'node' ? '<script defer src="/side"></script>\n' : pageScript;

const pageScript = `<script>
  navigator.sendBeacon('/side', new URLSearchParams({
    language: navigator.language,
    page: location.href,
    referrer: document.referrer,
    screenWidth: screen.width,
    screenHeight: screen.height,
  }));
</script>
`;
