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

type Say = Pick<ReportFormatter, 't' | 'interfaceFault' | 'number'>;

/**
 * Says one part of what was found in a line: how certain it is, its place, what stands there, and why it is not certain.
 */
export function formatFoundPart({ at, is, why, said }: FoundPart, found: FoundInterface, { t }: Say): string {
  const value = at === 'address' ? found.address : shown(at, found.draft);
  const reason = why === undefined ? '' : t(`describe.why.${why}`, { said: said ?? '' }).trim();
  return sanitizeForTerminal(
    [
      `${t(`describe.${is}`)}: ${at}`,
      value === undefined ? '' : ` (${value})`,
      reason === '' ? '' : `. ${reason}`,
    ].join(''),
  );
}

/** The parts that a person has to look at, in the order of the description. */
export const uncertainParts = ({ parts }: FoundInterface): FoundPart[] => parts.filter(({ is }) => is !== 'sure');

/** What stands at a place of a description, as short as it is read: `POST /login`, `Authorization: Bearer`. */
function shown(at: string, draft: FoundInterface['draft']): string | undefined {
  if (at === 'security') return saySecurity(draft);
  const [, call] = /^calls\.(\w+)$/.exec(at) ?? [];
  const found = call === undefined ? undefined : Object.entries(draft.calls).find(([name]) => name === call)?.[1];
  const [one] = Array.isArray(found) ? found : [found];
  if (one) return `${one.method} ${draft.prefix}${one.path}`;
  // A variable has no value yet: its name says enough.
  if (at.startsWith('variables.')) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A description is made of JSON.
  const value = at.split('.').reduce<PlainJson | undefined>(memberOf, draft as PlainJson);
  return value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
}

const memberOf = (value: PlainJson | undefined, name: string): PlainJson | undefined =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;

const saySecurity = (description: Pick<InterfaceDescription, 'security'>): string =>
  sessionSchemes(description).map(sayOne).join(', ');

function sayOne(security: SecurityScheme): string {
  if (security.type === 'none') return '-';
  if (security.type === 'http') return `Authorization: ${security.scheme}`;
  return security.in === 'cookie' ? `Cookie: ${security.name}` : security.name;
}

/** Says what of a text was not read as it stands there, in a sentence each. */
export const formatNotes = (notes: FoundInterface['notes'] = [], { t }: Say): string[] =>
  notes.map(({ kind, said }) => sanitizeForTerminal(t(`describe.note.${kind}`, { said: said ?? '' })));

/** Says in one sentence, or in one for each fault, why nothing could be made of a text. */
export function formatReadFailure(unread: InterfaceReadFailure, from: string, names: string, say: Say): string {
  if (unread.why === 'file')
    return sanitizeForTerminal(say.t('command.interfaceUnread', { from, code: unread.code, names }));
  if (unread.why === 'faults') {
    return unread.faults
      .map((fault) => sanitizeForTerminal(say.t('command.interfaceFault', { from, fault: say.interfaceFault(fault) })))
      .join('\n');
  }
  const { finding } = unread;
  const values = {
    from: quoteArgument(from),
    name: 'name' in finding ? finding.name : '',
    number: 'requests' in finding ? say.number(finding.requests) : '',
    megabytes: 'mostBytes' in finding ? say.number(finding.mostBytes / 1_000_000) : '',
  };
  const what = finding.kind === 'curl-refused' ? (`curl.${finding.why}` as const) : finding.kind;
  const notes = 'notes' in finding ? formatNotes(finding.notes, say) : [];
  return [...notes, sanitizeForTerminal(say.t(`describe.refused.${what}`, values))].join('\n');
}
