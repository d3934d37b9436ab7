/**
 * Documents have placeholders such as `<token>`, `[API_KEY]`, `{tenant}`, `$TOKEN`, `%TOKEN%` and `YOUR_KEY`. Each becomes a
 * variable, `{{token}}`, as in collections, so that none is taken for a value.
 */
const bracketed = String.raw`<([A-Za-z_][\w .:-]{0,60})>|\[([A-Za-z_][\w .-]{0,60})\]|[$#]?(?<!\{)\{([A-Za-z_][\w.-]{0,60})\}(?!\})`;
const shell = String.raw`\$([A-Z_][A-Z0-9_]{0,60})(?![\w{])|%([A-Z_][A-Z0-9_]{0,60})%`;
const inUrl = new RegExp(`${bracketed}|${shell}`, 'g');
/** A value that is a placeholder, alone or after a word such as `Bearer`. */
const wholeValue = new RegExp(`^([A-Za-z][\\w-]{0,30} )?(?:${bracketed}|${shell}|(your[-_ ][\\w -]{1,60}))$`, 'i');

const variable = (name: string): string =>
  `{{${name
    .replace(/^:/, '')
    .trim()
    .replaceAll(/[^\w.-]+/g, '-')}}}`;
const firstOf = (names: readonly (string | undefined)[]): string => names.find((each) => each !== undefined) ?? '';

/** Replaces the placeholder of a header or body value by a variable. */
export function normalizePlaceholder(value: string): string {
  // A long value is no placeholder.
  if (value.length > 100) return value;
  const [, before = '', ...names] = wholeValue.exec(value) ?? [];
  const name = firstOf(names);
  return name === '' ? value : before + variable(name);
}

/** Labels of a host such as `YOUR-DOMAIN`, `yourdomain`, `:tenant` and `PROJECT_REF`. */
const yourLabel =
  /^your(?:[-_].{0,60}|-?(?:sub)?(?:domain|app|server|host|site|company|tenant|project|instance|api|org|account|workspace|store|shop)(?:name)?)$|^:[A-Za-z]\w*$/i;
const isCapital = (label: string): boolean => /^[A-Z][A-Z0-9_-]{2,60}$/.test(label);

/** Replaces the placeholders of host and path by variables. */
export function normalizeUrlPlaceholders(address: string): string {
  // An address of this computer or network without a scheme is HTTP.
  const url = /^(?:localhost|127\.\d|10\.\d|192\.168\.|0\.0\.0\.0|\[::1\])/i.test(address)
    ? `http://${address}`
    : address;
  const named = url.slice(0, 2000).replaceAll(inUrl, (_, ...groups: readonly unknown[]) => {
    const names = groups.map((each) => (typeof each === 'string' ? each : undefined)).slice(0, 5);
    return variable(firstOf(names));
  });
  return named.replace(
    /^((?:[a-z]+:)?\/\/(?:[^/?#\s@]{0,200}@)?)?([^/?#\s@]{1,300})/i,
    (_, before: string | undefined, host: string) => (before ?? '') + nameLabels(host, before !== undefined),
  );
}

/** Labels in capitals count only in a URL with a scheme, where the first part is surely a host. */
function nameLabels(host: string, hasScheme: boolean): string {
  // A host in capitals throughout is real; `PROJECT` in `PROJECT.example.test` and `API_HOST` are placeholders.
  const isMixed = hasScheme && (/[a-z]/.test(host) || host.includes('_'));
  const isPlaceholder = (label: string) => yourLabel.test(label) || (isMixed && isCapital(label));
  return host
    .split('.')
    .map((label) => (isPlaceholder(label) ? variable(label) : label))
    .join('.');
}

/** Whether a host is one of documentation: those of RFC 2606, and `mydomain.com`. */
export const isDocumentationHost = (host: string): boolean =>
  /(?:^|\.)(?:example\.(?:com|net|org)|example|invalid|(?:my)?domain\.com|my(?:site|app|server|company|api)\.com)$/i.test(
    host,
  );
