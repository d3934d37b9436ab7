/**
 * Documents write what the reader has to put in as `<token>`, `[API_KEY]`, `{tenant}`, `$TOKEN`, `%TOKEN%` or `YOUR_KEY`.
 * Here each becomes a variable, `{{token}}`, as collections write it, so that none is ever taken for a value.
 */
const bracketed = String.raw`<([A-Za-z_][\w .:-]{0,60})>|\[([A-Za-z_][\w .-]{0,60})\]|[$#]?(?<!\{)\{([A-Za-z_][\w.-]{0,60})\}(?!\})`;
const shell = String.raw`\$([A-Z_][A-Z0-9_]{0,60})(?![\w{])|%([A-Z_][A-Z0-9_]{0,60})%`;
const inUrl = new RegExp(`${bracketed}|${shell}`, 'g');
/** A value that is one placeholder, or a word such as `Bearer` and one. */
const wholeValue = new RegExp(`^([A-Za-z][\\w-]{0,30} )?(?:${bracketed}|${shell}|(your[-_ ][\\w -]{1,60}))$`, 'i');

const variable = (name: string): string =>
  `{{${name
    .replace(/^:/, '')
    .trim()
    .replaceAll(/[^\w.-]+/g, '-')}}}`;
const firstOf = (names: readonly (string | undefined)[]): string => names.find((each) => each !== undefined) ?? '';

/** A value of a header or a body, with its placeholder as a variable. */
export function normalizePlaceholder(value: string): string {
  // Only a short value can be one.
  if (value.length > 100) return value;
  const [, before = '', ...names] = wholeValue.exec(value) ?? [];
  const name = firstOf(names);
  return name === '' ? value : before + variable(name);
}

/** Labels of a host such as `YOUR-DOMAIN`, `yourdomain`, `:tenant` and `PROJECT_REF`. */
const yourLabel =
  /^your(?:[-_].{0,60}|-?(?:sub)?(?:domain|app|server|host|site|company|tenant|project|instance|api|org|account|workspace|store|shop)(?:name)?)$|^:[A-Za-z]\w*$/i;
const isCapital = (label: string): boolean => /^[A-Z][A-Z0-9_-]{2,60}$/.test(label);

/** An address, with the placeholders of its host and its path as variables. */
export function normalizeUrlPlaceholders(given: string): string {
  // Programs send what has no scheme by http; for a server of one's own that is how it is.
  const url = /^(?:localhost|127\.\d|10\.\d|192\.168\.|0\.0\.0\.0|\[::1\])/i.test(given) ? `http://${given}` : given;
  const named = url.slice(0, 2000).replaceAll(inUrl, (_, ...found: readonly unknown[]) => {
    const names = found.map((each) => (typeof each === 'string' ? each : undefined)).slice(0, 5);
    return variable(firstOf(names));
  });
  return named.replace(
    /^((?:[a-z]+:)?\/\/(?:[^/?#\s@]{0,200}@)?)?([^/?#\s@]{1,300})/i,
    (_, before: string | undefined, host: string) => (before ?? '') + nameLabels(host, before !== undefined),
  );
}

/** Without a scheme, the first part of an address is a host only where it is nothing else. */
function nameLabels(host: string, hasScheme: boolean): string {
  // A whole host in capitals is a host; `PROJECT.example.test` and `API_HOST` are not.
  const isMixed = hasScheme && (/[a-z]/.test(host) || host.includes('_'));
  const isPlaceholder = (label: string) => yourLabel.test(label) || (isMixed && isCapital(label));
  return host
    .split('.')
    .map((label) => (isPlaceholder(label) ? variable(label) : label))
    .join('.');
}

/** Hosts that documents use in the place of a real one: those of RFC 2606, and `mydomain.com`. */
export const isDocumentationHost = (host: string): boolean =>
  /(?:^|\.)(?:example\.(?:com|net|org)|example|invalid|(?:my)?domain\.com|my(?:site|app|server|company|api)\.com)$/i.test(
    host,
  );
