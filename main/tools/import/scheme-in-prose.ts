import { looksSecret } from './description-draft.ts';
import type { ImportedCredential } from './imported-request.ts';

/** A placeholder of a token in prose: `{token}`, `<your token>`, `[jwt]`, `xxxxx.yyyyy.zzzzz`, `eyJ…`, `12345abcdef`, `YOUR_TOKEN`. */
const tokenPlaceholder =
  /^(?:[{<[(]{1,2}[^{}<>[\]()]{0,40}(?:token|jwt|key|value|credential|string|access)[^{}<>[\]()]{0,40}[}>\])]{1,2}|x{3,}\S*|eyJ\S*|\.{3}|…|\*{3,}|YOUR[_-]?\S*|(?=\w*\d)(?=\w*[a-z])\w{8,})["'`.,;)]*$/i;
/** Words before a token that are no scheme. */
const notScheme =
  /^(?:authorization|header|value|example|format|the|a|an|your|my|this|that|valid|with|of|by|from|using|use|is|as|like|enter|insert|put|paste|place|provide|add|send|include|set|input|type|and|or|in|for|to|access|auth|api|user|json|web|refresh|new|one|here|field|e\.?g|i\.?e|prefix|scheme|string|get|given|obtained|received|login|only|just|raw|plain|required)$/i;
const known = /^(?:bearer|token|jwt|jwe|apikey|api-key|key|session|sso|oauth)$/i;
/** A word of letters and digits may be a real token. */
const likeToken = /^(?=\S*\d)(?=\S*[A-Za-z])\S{12,}$/;
const maxProseLength = 2000;
const maxQuoteLength = 200;

/**
 * The scheme of an `Authorization` header by its description: that of an example, `Word {token}`, or else one that the prose
 * mentions. Without either, Bearer is the usual one (RFC 6750, 2.1).
 */
export function schemeInProse(description: string): ImportedCredential {
  const text = description.slice(0, maxProseLength);
  const words = text.split(/\s+/).filter((word) => word !== '');
  const found = schemeInExample(words) ?? schemeMentioned(words);
  if (found === undefined) return { security: { type: 'http', scheme: 'Bearer' }, why: 'usual' };
  const from = Math.max(0, found.at - 8);
  const quote = words
    .slice(from, found.at + 6)
    .map((word) => (looksSecret('', word) || likeToken.test(word) || word.length > 40 ? '…' : word))
    .join(' ');
  return { security: { type: 'http', scheme: found.scheme }, why: 'prose', detail: quote.slice(0, maxQuoteLength) };
}

/** A word without quotes and brackets: `"Bearer`, `'Token`, `**JWT**`. */
const bare = (word: string): string => word.replaceAll(/^["'`*(<{[]+|["'`*)>}\],.:;]+$/g, '');
const isScheme = (word: string): boolean => /^[A-Za-z][\w-]{1,30}$/.test(word) && !notScheme.test(word);

function schemeInExample(words: readonly string[]): { scheme: string; at: number } | undefined {
  const examples = words.flatMap((word, at) => {
    const scheme = bare(word);
    const next = words[at + 1] ?? '';
    // The brackets may contain blanks.
    const after = /^["'`]?[{<[(]/.test(next)
      ? words
          .slice(at + 1, at + 6)
          .join(' ')
          .replace(/^["'`]/, '')
          .replace(/([}>\])]).*$/s, '$1')
      : next;
    const isExample =
      isScheme(scheme) &&
      !/[,.;:]$/.test(word) &&
      (tokenPlaceholder.test(after) || (/^["'`]/.test(word) && /["'`.]$/.test(next)));
    return isExample ? [{ scheme, at, isBracketed: /^[{<[(]/.test(after) }] : [];
  });
  const named = examples.filter(({ scheme }) => known.test(scheme));
  const [first] = [...named, ...examples.filter(({ isBracketed }) => isBracketed)];
  return first;
}

function schemeMentioned(words: readonly string[]): { scheme: string; at: number } | undefined {
  const mentions = words.flatMap((word, at) => {
    const scheme = bare(word);
    if (!known.test(scheme)) return [];
    const isNamed = /^(?:scheme|schema|prefix|prefixed|keyword|auth|authentication|authorization)$/i.test(
      bare(words[at + 1] ?? ''),
    );
    const isQuoted = /^["'`*]/.test(word);
    return isNamed || isQuoted || /^bearer$/i.test(scheme)
      ? [{ scheme, at, isBearer: /^bearer$/i.test(scheme), isNamed, isQuoted }]
      : [];
  });
  const best = mentions.find((each) => each.isBearer) ?? mentions.find((each) => each.isNamed || each.isQuoted);
  return best && { scheme: best.isBearer ? 'Bearer' : best.scheme, at: best.at };
}
