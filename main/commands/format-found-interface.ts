import type {
  FoundInterface,
  FoundPart,
  InterfaceDescription,
  SecurityScheme,
} from '../../preload/contract/interface.ts';
import type { ReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { PlainJson } from '../interface/template.ts';
import { sessionSchemes } from '../interface/security-schemes.ts';
import { sanitizeForTerminal, quoteArgument } from './option-parser.ts';
import type { InterfaceReadFailure } from './read-interface.ts';

type Formatter = Pick<ReportFormatter, 't' | 'interfaceFault' | 'number'>;

/** A part of an imported description in one line: how certain it is, its path, its value, and why it is not certain. */
export function formatFoundPart({ at, is, why, detail }: FoundPart, found: FoundInterface, { t }: Formatter): string {
  const value = at === 'address' ? found.address : formatPart(at, found.draft);
  const reason = why === undefined ? '' : t(`describe.why.${why}`, { detail: detail ?? '' }).trim();
  return sanitizeForTerminal(
    [
      `${t(`describe.${is}`)}: ${at}`,
      value === undefined ? '' : ` (${value})`,
      reason === '' ? '' : `. ${reason}`,
    ].join(''),
  );
}

/** The parts that somebody has to review, in the order of the description. */
export const uncertainParts = ({ parts }: FoundInterface): FoundPart[] => parts.filter(({ is }) => is !== 'sure');

/** The value at a path of a description, in short: `POST /login`, `Authorization: Bearer`. */
function formatPart(at: string, draft: FoundInterface['draft']): string | undefined {
  if (at === 'security') return formatSecurity(draft);
  const [, call] = /^calls\.(\w+)$/.exec(at) ?? [];
  const found = call === undefined ? undefined : Object.entries(draft.calls).find(([name]) => name === call)?.[1];
  const [one] = Array.isArray(found) ? found : [found];
  if (one) return `${one.method} ${draft.prefix}${one.path}`;
  // A variable has no value yet.
  if (at.startsWith('variables.')) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A description is made of JSON.
  const value = at.split('.').reduce<PlainJson | undefined>(memberOf, draft as PlainJson);
  return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}

const memberOf = (value: PlainJson | undefined, name: string): PlainJson | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;

const formatSecurity = (description: Pick<InterfaceDescription, 'security'>): string =>
  sessionSchemes(description).map(formatScheme).join(', ');

function formatScheme(security: SecurityScheme): string {
  if (security.type === 'none') return '-';
  if (security.type === 'http') return `Authorization: ${security.scheme}`;
  return security.in === 'cookie' ? `Cookie: ${security.name}` : security.name;
}

/** A sentence for each part of a text that was not read literally. */
export const formatNotes = (notes: FoundInterface['notes'] = [], { t }: Formatter): string[] =>
  notes.map(({ kind, detail }) => sanitizeForTerminal(t(`describe.note.${kind}`, { detail: detail ?? '' })));

/** Why there is no description, in a sentence for each fault. */
export function formatReadFailure(
  unread: InterfaceReadFailure,
  from: string,
  names: string,
  formatter: Formatter,
): string {
  if (unread.why === 'file')
    return sanitizeForTerminal(formatter.t('command.interfaceUnread', { from, code: unread.code, names }));
  if (unread.why === 'faults') {
    return unread.faults
      .map((fault) =>
        sanitizeForTerminal(formatter.t('command.interfaceFault', { from, fault: formatter.interfaceFault(fault) })),
      )
      .join('\n');
  }
  const { finding } = unread;
  const values = {
    from: quoteArgument(from),
    name: 'name' in finding ? finding.name : '',
    number: 'requests' in finding ? formatter.number(finding.requests) : '',
    megabytes: 'mostBytes' in finding ? formatter.number(finding.mostBytes / 1_000_000) : '',
  };
  const what = finding.kind === 'curl-refused' ? (`curl.${finding.why}` as const) : finding.kind;
  const notes = 'notes' in finding ? formatNotes(finding.notes, formatter) : [];
  return [...notes, sanitizeForTerminal(formatter.t(`describe.refused.${what}`, values))].join('\n');
}
