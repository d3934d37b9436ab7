import type { ProxySettings } from '../../../preload/contract/connection.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import { proxyText } from '../../client/proxy-route.ts';
import type { AffectedData, ConnectionChange, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { systemTexts } from '../../../preload/contract/locales/system-texts.ts';

/** What a dialog of the system says. `agree` is the button that says yes. */
export type QuestionText = { message: string; detail: string; agree: string; cancel: string };

type T = ReturnType<typeof systemTexts>;
type Of<K extends DialogQuestion['kind']> = Extract<DialogQuestion, { kind: K }>;
/** What a question says below its sentence, and the values of the sentence. */
type Said = { detail?: string; values?: Record<string, string | number> };
type Sayings = { [K in DialogQuestion['kind']]: (question: Of<K>, t: T) => Said };

/** As long as any host, so that no end of one is cut off. */
const longestValue = 300;

/** A text that comes from a server, a page or a file: on one line, in one direction, and of some length at most. */
export function sanitizeForDialog(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return shown.length > longestValue ? `${shown.slice(0, longestValue)}…` : shown;
}

/** The dates of a certificate, without the time of day. */
const day = (iso: string): string => iso.slice(0, 10);

const sayings: Sayings = {
  secrets: ({ count }, t) => ({ values: { count }, detail: t('questions.secrets-detail') }),
  'copy-token': ({ account, host }, t) => ({
    detail: t('questions.copy-token-detail', { host: sanitizeForDialog(host) }),
    values: { account: sanitizeForDialog(account) },
  }),
  erase: (_question, t) => ({ detail: t('questions.erase-detail') }),
  'open-outside': ({ baseUrl }) => ({ detail: baseUrl, values: { host: new URL(baseUrl).host } }),
  'try-made-up': ({ host, production }, t) => ({
    detail: [
      t('questions.try-made-up-detail', { host: sanitizeForDialog(host) }),
      ...(production ? [t('questions.try-made-up-production')] : []),
    ].join('\n'),
    values: { host: sanitizeForDialog(host) },
  }),
  'open-mail': ({ address }) => ({ values: { address: sanitizeForDialog(address) } }),
  'install-update': ({ version }, t) => ({ detail: t('questions.install-update-detail'), values: { version } }),
  'open-link': ({ name, baseUrl }, t) => ({
    detail: t('questions.open-link-detail', { baseUrl }),
    values: { name: sanitizeForDialog(name) },
  }),
  trust: ({ host, certificate, instead }, t) => ({
    detail: [
      t(instead ? 'questions.trust-instead' : 'questions.trust-unknown'),
      t('questions.trust-detail'),
      '',
      t('questions.trust-subject', { subject: sanitizeForDialog(certificate.subject) }),
      t('questions.trust-issuer', { issuer: sanitizeForDialog(certificate.issuer) }),
      t('questions.trust-valid', { from: day(certificate.validFrom), to: day(certificate.validTo) }),
      `SHA-256: ${certificate.sha256}`,
    ].join('\n'),
    values: { host },
  }),
  connection: ({ host, changes, ...atStake }, t) => ({
    detail: [
      sayAtStake(atStake, changes, t),
      ...(changes.some(({ what }) => what !== 'address') ? [t('questions.connection-detail')] : []),
      '',
      ...changes.map((change) => sayChange(change, t)),
    ].join('\n'),
    values: { host },
  }),
  'imported-proxies': ({ listed, unlisted }, t) => ({
    detail: [
      t('questions.imported-proxies-detail'),
      '',
      ...listed.map(({ proxy, hosts }) =>
        t('questions.imported-proxies-for', { proxy: sayProxy(proxy, t), hosts: sayHosts(hosts, t) }),
      ),
      ...(unlisted > 0 ? [t('questions.imported-proxies-left', { count: unlisted })] : []),
    ].join('\n'),
  }),
  'new-origin': ({ origin, isNew, proxy }, t) => ({
    detail: [
      ...(isNew ? [t('questions.new-origin-new')] : []),
      ...(proxy ? [t('questions.new-origin-proxy', { proxy: sayProxy(proxy, t) })] : []),
    ].join('\n'),
    values: { origin: sanitizeForDialog(origin) },
  }),
};

/** Questions whose other button has a word of its own. */
const ownCancel = ['install-update', 'imported-proxies'] as const;

/** What main asks, in a person's language. */
export function formatQuestion(question: DialogQuestion, language: Language): QuestionText {
  const t = systemTexts(language);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A saying is looked up by the kind of the question, which the type of a table cannot say.
  const saying = sayings[question.kind] as (question: DialogQuestion, t: T) => Said;
  const { detail = '', values = {} } = saying(question, t);
  const own = ownCancel.find((kind) => kind === question.kind);
  return {
    message: t(`questions.${question.kind}`, values),
    detail,
    agree: t(`questions.${question.kind}-agree`),
    cancel: t(own ? `questions.${own}-cancel` : 'questions.cancel'),
  };
}

function sayAtStake(atStake: AffectedData, changes: readonly ConnectionChange[], t: T): string {
  const count = (...kinds: (keyof AffectedData)[]): string[] =>
    kinds
      .filter((what) => atStake[what] > 0)
      .map((what) => t(`questions.connection-${what}`, { count: atStake[what] }));
  const counted = count('sessions', 'logouts', 'headers');
  const over = (what: string[]): string =>
    t('questions.connection-over', { what: [t('questions.connection-password'), ...what] });
  if (!changes.some(({ what }) => what === 'address')) {
    const ended = changes.some(({ what }) => what === 'interface') ? count('sessions', 'logouts') : [];
    if (ended.length === 0) return over(counted);
    return `${over(count('headers'))}\n${t('questions.connection-interface-ends', { what: ended })}`;
  }
  return counted.length === 0 ? '' : t('questions.connection-ends', { what: counted });
}

function sayChange(change: ConnectionChange, t: T): string {
  switch (change.what) {
    case 'address':
      return t('questions.connection-address', {
        from: sanitizeForDialog(change.from),
        to: sanitizeForDialog(change.to),
      });
    case 'proxy':
      return t('questions.connection-proxy', { from: sayProxy(change.from, t), to: sayProxy(change.to, t) });
    case 'interface':
      return t('questions.connection-interface', {
        from: sanitizeForDialog(change.from),
        to: sanitizeForDialog(change.to),
      });
    case 'authority':
    case 'clientCertificate':
      return t(`questions.connection-${change.what}`, {
        from: sanitizeForDialog(change.from ?? t('questions.nothing')),
        to: sanitizeForDialog(change.to ?? t('questions.nothing')),
      });
    case 'distrust':
      return t('questions.connection-distrust');
    default:
      return change satisfies never;
  }
}

function sayProxy(proxy: ProxySettings, t: T): string {
  switch (proxy.mode) {
    case 'system':
      return t('questions.proxy-of-system');
    case 'none':
      return t('questions.no-proxy');
    case 'pac':
      return sanitizeForDialog(`PAC ${proxy.url}`);
    case 'manual':
      return sanitizeForDialog(`${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`) + sayExceptions(proxy.noProxy);
    default:
      return proxy satisfies never;
  }
}

/** Hosts that are asked without the proxy, in the sign that every language knows. */
const sayExceptions = (noProxy: readonly string[]): string =>
  noProxy.length === 0 ? '' : ` (≠ ${sanitizeForDialog(noProxy.join(', '))})`;

const mostHosts = 5;

function sayHosts(hosts: readonly string[], t: T): string {
  const shown = hosts.slice(0, mostHosts).map(sanitizeForDialog).join(', ');
  return hosts.length > mostHosts
    ? t('questions.imported-proxies-and', { hosts: shown, count: hosts.length - mostHosts })
    : shown;
}
