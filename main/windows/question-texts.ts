import type { ProxySettings } from '../../preload/contract/connection.ts';
import type { Language } from '../../preload/contract/models.ts';
import { proxyText } from '../client/proxy-route.ts';
import type { Question, WayChange } from '../dialogs.ts';
import { questionWords } from './question-words.ts';

/** What a dialog of the system says. `agree` is the button that says yes. */
export type QuestionText = { message: string; detail: string; agree: string; cancel: string };

type Key = keyof ReturnType<typeof questionWords>;
/** A key of which there is a form for each number. */
type Counted = Key extends infer K ? (K extends `${infer Stem}_other` ? Stem : never) : never;

/** The words of one language, with values put in. */
interface Words {
  say: (key: Key, values?: Record<string, string | number>) => string;
  count: (key: Counted, count: number) => string;
}

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;
/** What of a question is not its sentence and its buttons alone. Its values stand in those too. */
type Said = { message?: string; detail?: string; values?: Record<string, string | number> };
type Sayings = { [K in Question['kind']]: (question: Of<K>, words: Words) => Said };

/** As long as any host, so that no end of one is cut off. */
const longestValue = 300;

/** A text that comes from a server, a page or a file: on one line, in one direction, and of some length at most. */
export function plain(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return shown.length > longestValue ? `${shown.slice(0, longestValue)}…` : shown;
}

/** The dates of a certificate, without the time of day. */
const day = (iso: string): string => iso.slice(0, 10);

const sayings: Sayings = {
  secrets: ({ count: number }, { say, count }) => ({
    message: count('secrets', number),
    detail: say('secrets-detail'),
  }),
  erase: (_question, { say }) => ({ detail: say('erase-detail') }),
  'open-outside': ({ baseUrl }) => ({ detail: baseUrl, values: { host: new URL(baseUrl).host } }),
  'install-update': ({ version }, { say }) => ({ detail: say('install-update-detail'), values: { version } }),
  'open-link': ({ name, baseUrl }, { say }) => ({
    detail: say('open-link-detail', { baseUrl }),
    values: { name: plain(name) },
  }),
  trust: ({ host, certificate, instead }, { say }) => ({
    detail: [
      say(instead ? 'trust-instead' : 'trust-unknown'),
      say('trust-detail'),
      '',
      say('trust-subject', { subject: plain(certificate.subject) }),
      say('trust-issuer', { issuer: plain(certificate.issuer) }),
      say('trust-valid', { from: day(certificate.validFrom), to: day(certificate.validTo) }),
      `SHA-256: ${certificate.sha256}`,
    ].join('\n'),
    values: { host },
  }),
  // Of extra headers it speaks only where there is no session.
  way: ({ host, sessions, headers, changes }, words) => ({
    detail: [
      `${sessions > 0 ? words.count('way-sessions', sessions) : words.count('way-headers', headers)} ${words.say('way-detail')}`,
      '',
      ...changes.map((change) => sayChange(change, words)),
    ].join('\n'),
    values: { host },
  }),
  'imported-proxies': ({ listed, unlisted }, words) => ({
    detail: [
      words.say('imported-proxies-detail'),
      '',
      ...listed.map(({ proxy, hosts }) =>
        words.say('imported-proxies-for', { proxy: sayProxy(proxy, words), hosts: sayHosts(hosts, words) }),
      ),
      ...(unlisted > 0 ? [words.say('imported-proxies-left', { count: unlisted })] : []),
    ].join('\n'),
  }),
  'new-origin': ({ origin, isNew, proxy }, words) => ({
    detail: [
      ...(isNew ? [words.say('new-origin-new')] : []),
      ...(proxy ? [words.say('new-origin-proxy', { proxy: sayProxy(proxy, words) })] : []),
    ].join('\n'),
    values: { origin: plain(origin) },
  }),
};

/** The keys of a question: its sentence, where that does not depend on a number, and its buttons. */
const keysOf = (kind: Question['kind']) =>
  ({
    message: kind === 'secrets' ? 'secrets_other' : kind,
    agree: `${kind}-agree`,
    cancel: kind === 'install-update' || kind === 'imported-proxies' ? `${kind}-cancel` : 'cancel',
  }) as const satisfies Record<string, Key>;

/** What main asks, in a person's language. */
export function sayQuestion(question: Question, language: Language): QuestionText {
  const words = wordsOf(language);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A saying is looked up by the kind of the question, which the type of a table cannot say.
  const saying = sayings[question.kind] as (question: Question, words: Words) => Said;
  const { message, detail = '', values } = saying(question, words);
  const keys = keysOf(question.kind);
  return {
    message: message ?? words.say(keys.message, values),
    detail,
    agree: words.say(keys.agree),
    cancel: words.say(keys.cancel),
  };
}

function wordsOf(language: Language): Words {
  const table: Partial<Record<string, string>> & Record<Key, string> = questionWords(language);
  const plural = new Intl.PluralRules(language);
  // All values are put in at once, so that none of them can name another.
  const fill = (text: string, values: Record<string, string | number>): string =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => String(values[name] ?? mark));
  return {
    say: (key, values = {}) => fill(table[key], values),
    count: (key, count) => fill(table[`${key}_${plural.select(count)}`] ?? table[`${key}_other`], { count }),
  };
}

function sayChange(change: WayChange, words: Words): string {
  const { say } = words;
  switch (change.what) {
    case 'address':
      return say('way-address', { from: plain(change.from), to: plain(change.to) });
    case 'proxy':
      return say('way-proxy', { from: sayProxy(change.from, words), to: sayProxy(change.to, words) });
    case 'authority':
    case 'clientCertificate':
      return say(`way-${change.what}`, {
        from: plain(change.from ?? say('nothing')),
        to: plain(change.to ?? say('nothing')),
      });
    case 'distrust':
      return say('way-distrust');
    default:
      return change satisfies never;
  }
}

function sayProxy(proxy: ProxySettings, { say }: Words): string {
  switch (proxy.mode) {
    case 'system':
      return say('proxy-of-system');
    case 'none':
      return say('no-proxy');
    case 'pac':
      return plain(`PAC ${proxy.url}`);
    case 'manual':
      return plain(`${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`) + sayExceptions(proxy.noProxy);
    default:
      return proxy satisfies never;
  }
}

/** Hosts that are asked without the proxy, in the sign that every language knows. */
const sayExceptions = (noProxy: readonly string[]): string =>
  noProxy.length === 0 ? '' : ` (≠ ${plain(noProxy.join(', '))})`;

const mostHosts = 5;

function sayHosts(hosts: readonly string[], { say }: Words): string {
  const shown = hosts.slice(0, mostHosts).map(plain).join(', ');
  return hosts.length > mostHosts
    ? say('imported-proxies-and', { hosts: shown, count: hosts.length - mostHosts })
    : shown;
}
