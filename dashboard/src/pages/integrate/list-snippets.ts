import { csharpSnippet } from './snippets/csharp.ts';
import { curlSnippet } from './snippets/curl.ts';
import { goSnippet } from './snippets/go.ts';
import { javaSnippet } from './snippets/java.ts';
import { nodeSnippet } from './snippets/node.ts';
import { phpSnippet } from './snippets/php.ts';
import { pythonSnippet } from './snippets/python.ts';
import { rubySnippet } from './snippets/ruby.ts';

/** Writes a program that sends a page view, as it would appear in the customer's backend. */
export type WriteSnippet = (origin: string, domain: string, key: string) => string;

export type Language = 'curl' | 'node' | 'python' | 'php' | 'csharp' | 'go' | 'ruby' | 'java';

export type Snippet = { id: Language; label: string; comment: '#' | '//'; write: WriteSnippet };

export const snippets: readonly Snippet[] = [
  { id: 'curl', label: 'curl', comment: '#', write: curlSnippet },
  { id: 'node', label: 'Node', comment: '//', write: nodeSnippet },
  { id: 'python', label: 'Python', comment: '#', write: pythonSnippet },
  { id: 'php', label: 'PHP', comment: '//', write: phpSnippet },
  { id: 'csharp', label: 'C#', comment: '//', write: csharpSnippet },
  { id: 'go', label: 'Go', comment: '//', write: goSnippet },
  { id: 'ruby', label: 'Ruby', comment: '#', write: rubySnippet },
  { id: 'java', label: 'Java', comment: '//', write: javaSnippet },
];

/** The placeholder in the snippets until somebody asks for the key. */
export const keyPlaceholder = 'YOUR_API_KEY';
