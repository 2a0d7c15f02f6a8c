/** Words that project text must not use, each with a replacement. */
export const BANNED_WORDS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\bwhoever\b/gi, instead: 'name the actor: the client, the worker, the caller' },
  // In backticks it is the Unix account `nobody`.
  { pattern: /(?<!`)\b(?:some|no|any)body\b/gi, instead: 'name the actor, or write "no process", "another user"' },
  { pattern: /\b(?:is|are|be|was|were) none\b/g, instead: '"does not exist", "is not a …"' },
  { pattern: /\banew\b/gi, instead: 'again' },
  { pattern: /\bfor ever\b/gi, instead: 'forever, or without limit' },
  { pattern: /\bbeside\b/gi, instead: 'next to, in addition to' },
  { pattern: /\bmeanwhile\b/gi, instead: 'concurrently, since then' },
  { pattern: /\b(?:tell|tells|told|telling)\b/gi, instead: 'report, return, notify, log, show, distinguish' },
  { pattern: /\b(?:is|are|was|were|be|been|being) away\b/gi, instead: 'unavailable' },
  { pattern: /\bunder way\b/gi, instead: 'in flight, running' },
  { pattern: /\bin hand\b/gi, instead: 'leased, current' },
  { pattern: /\b(?:he|his|him|himself)\b/g, instead: 'they, or the name of the actor' },
  { pattern: /\bhears? of\b|\bheard of\b/gi, instead: 'is notified of, receives, last seen' },
  { pattern: /\bas far as\b/gi, instead: 'state the limit' },
  { pattern: /\b(?:MOST|LONGEST|DEEPEST|LARGEST)_[A-Z]/g, instead: 'MAX_…, with the unit in the name' },
];
