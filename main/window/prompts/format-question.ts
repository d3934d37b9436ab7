import type { ProxySettings } from '../../../preload/contract/connection.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import { proxyText } from '../../client/proxy-route.ts';
import type { AffectedData, ConnectionChange, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { systemTexts } from '../../../preload/contract/locales/system-texts.ts';

/** The texts of a system dialog. `agree` is the button that agrees. */
type QuestionText = { message: string; detail: string; agree: string; cancel: string };

type T = ReturnType<typeof systemTexts>;
type Of<K extends DialogQuestion['kind']> = Extract<DialogQuestion, { kind: K }>;
/** `values` are those of the message. */
type Content = { detail?: string; values?: Record<string, string | number> };
type Formatters = { [K in DialogQuestion['kind']]: (question: Of<K>, t: T) => Content };

/** As long as any host, so that no end of one is cut off. */
const longestValue = 300;

/** Returns untrusted text on one line, in one direction, and with a maximum length. */
export function sanitizeForDialog(text: string): string {
  const oneLine = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return oneLine.length > longestValue ? `${oneLine.slice(0, longestValue)}…` : oneLine;
}

const dateOf = (iso: string): string => iso.slice(0, 10);

const lines = (...parts: (string | false | undefined)[]): string =>
  parts.filter((part) => typeof part === 'string').join('\n');

const formatters: Formatters = {
  secrets: ({ count }, t) => ({ values: { count }, detail: t('questions.secrets-detail') }),
  'copy-token': ({ account, host }, t) => ({
    detail: t('questions.copy-token-detail', { host: sanitizeForDialog(host) }),
    values: { account: sanitizeForDialog(account) },
  }),
  erase: (_question, t) => ({ detail: t('questions.erase-detail') }),
  'open-outside': ({ baseUrl }) => ({ detail: baseUrl, values: { host: new URL(baseUrl).host } }),
  'try-made-up': ({ host, production }, t) => ({
    detail: lines(
      t('questions.try-made-up-detail', { host: sanitizeForDialog(host) }),
      production && t('questions.try-made-up-production'),
    ),
    values: { host: sanitizeForDialog(host) },
  }),
  'open-mail': ({ address }) => ({ values: { address: sanitizeForDialog(address) } }),
  'install-update': ({ version }, t) => ({ detail: t('questions.install-update-detail'), values: { version } }),
  'open-link': ({ name, baseUrl }, t) => ({
    detail: t('questions.open-link-detail', { baseUrl }),
    values: { name: sanitizeForDialog(name) },
  }),
  trust: ({ host, certificate, instead }, t) => ({
    detail: t('questions.trust-detail', {
      reason: t(instead ? 'questions.trust-instead' : 'questions.trust-unknown'),
      subject: sanitizeForDialog(certificate.subject),
      issuer: sanitizeForDialog(certificate.issuer),
      from: dateOf(certificate.validFrom),
      to: dateOf(certificate.validTo),
      sha256: certificate.sha256,
    }),
    values: { host },
  }),
  connection: ({ host, changes, ...affected }, t) => ({
    detail: lines(
      formatAffectedData(affected, changes, t),
      changes.some(({ what }) => what !== 'address') && t('questions.connection-detail'),
      '',
      ...changes.map((change) => formatChange(change, t)),
    ),
    values: { host },
  }),
  'import-servers': (question, t) => ({
    detail: [
      formatServers('added', question.added, t),
      formatServers('changed', question.changed, t),
      formatLoss(question, t),
      formatImportedProxies(question, t),
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    values: { file: sanitizeForDialog(question.file) },
  }),
  'new-origin': ({ origin, isNew, proxy }, t) => ({
    detail: lines(
      isNew && t('questions.new-origin-new'),
      proxy && t('questions.new-origin-proxy', { proxy: formatProxy(proxy, t) }),
    ),
    values: { origin: sanitizeForDialog(origin) },
  }),
};

/** Questions with a text of their own for the button that declines. */
const ownCancel = ['install-update'] as const;

export function formatQuestion(question: DialogQuestion, language: Language): QuestionText {
  const t = systemTexts(language);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The formatter is looked up by the kind of the question, which the type of a table cannot express.
  const format = formatters[question.kind] as (question: DialogQuestion, t: T) => Content;
  const { detail = '', values = {} } = format(question, t);
  const own = ownCancel.find((kind) => kind === question.kind);
  return {
    message: t(`questions.${question.kind}`, values),
    detail,
    agree: t(`questions.${question.kind}-agree`),
    cancel: t(own ? `questions.${own}-cancel` : 'questions.cancel'),
  };
}

function formatAffectedData(affected: AffectedData, changes: readonly ConnectionChange[], t: T): string {
  const all = countAffected(affected, t, 'sessions', 'logouts', 'headers');
  const sent = (what: string[]): string =>
    t('questions.connection-over', { what: [t('questions.connection-password'), ...what] });
  if (!changes.some(({ what }) => what === 'address')) {
    const ended = changes.some(({ what }) => what === 'interface')
      ? countAffected(affected, t, 'sessions', 'logouts')
      : [];
    if (ended.length === 0) return sent(all);
    return `${sent(countAffected(affected, t, 'headers'))}\n${t('questions.connection-interface-ends', { what: ended })}`;
  }
  return all.length === 0 ? '' : t('questions.connection-ends', { what: all });
}

const countAffected = (affected: AffectedData, t: T, ...kinds: (keyof AffectedData)[]): string[] =>
  kinds
    .filter((what) => affected[what] > 0)
    .map((what) => t(`questions.connection-${what}`, { count: affected[what] }));

const mostServers = 8;

function formatServers(
  kind: 'added' | 'changed',
  servers: readonly (Of<'import-servers'>['added'][number] & Partial<Of<'import-servers'>['changed'][number]>)[],
  t: T,
): string {
  if (servers.length === 0) return '';
  const listed = servers
    .slice(0, mostServers)
    .map(({ name, address, changes = [], losesProduction = false }) =>
      lines(
        `${sanitizeForDialog(name)}: ${sanitizeForDialog(address)}`,
        ...changes.map((change) => `   ${formatChange(change, t)}`),
        losesProduction && `   ${t('questions.import-servers-production')}`,
      ),
    );
  const unlisted = servers.length - listed.length;
  return lines(
    t(`questions.import-servers-${kind}`),
    ...listed,
    unlisted > 0 && t('questions.import-servers-more', { count: unlisted }),
  );
}

function formatLoss(affected: AffectedData, t: T): string {
  const what = countAffected(affected, t, 'sessions', 'logouts', 'headers');
  return what.length === 0 ? '' : t('questions.import-servers-ends', { what });
}

function formatImportedProxies({ proxies, unlisted }: Of<'import-servers'>, t: T): string {
  if (proxies.length === 0) return '';
  return lines(
    t('questions.import-servers-proxies'),
    ...proxies.map(({ proxy, hosts }) =>
      t('questions.import-servers-for', { proxy: formatProxy(proxy, t), hosts: formatHosts(hosts, t) }),
    ),
    unlisted > 0 && t('questions.import-servers-left', { count: unlisted }),
  );
}

function formatChange(change: ConnectionChange, t: T): string {
  switch (change.what) {
    case 'address':
      return t('questions.connection-address', {
        from: sanitizeForDialog(change.from),
        to: sanitizeForDialog(change.to),
      });
    case 'proxy':
      return t('questions.connection-proxy', { from: formatProxy(change.from, t), to: formatProxy(change.to, t) });
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

function formatProxy(proxy: ProxySettings, t: T): string {
  switch (proxy.mode) {
    case 'system':
      return t('questions.proxy-of-system');
    case 'none':
      return t('questions.no-proxy');
    case 'pac':
      return sanitizeForDialog(`PAC ${proxy.url}`);
    case 'manual':
      return sanitizeForDialog(`${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`) + formatExceptions(proxy.noProxy);
    default:
      return proxy satisfies never;
  }
}

/** ≠ is understood in every language. */
const formatExceptions = (noProxy: readonly string[]): string =>
  noProxy.length === 0 ? '' : ` (≠ ${sanitizeForDialog(noProxy.join(', '))})`;

const mostHosts = 5;

function formatHosts(hosts: readonly string[], t: T): string {
  const shown = hosts.slice(0, mostHosts).map(sanitizeForDialog).join(', ');
  return hosts.length > mostHosts
    ? t('questions.import-servers-and', { hosts: shown, count: hosts.length - mostHosts })
    : shown;
}
