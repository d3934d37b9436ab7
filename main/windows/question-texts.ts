import type { ProxySettings } from '../../preload/contract/connection.ts';
import type { Language } from '../../preload/contract/models.ts';
import { proxyText } from '../client/proxy-route.ts';
import type { Question, WayChange } from '../dialogs.ts';

/** What a dialog of the system says. `agree` is the button that says yes. */
export type QuestionText = { message: string; detail: string; agree: string; cancel: string };

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;
type Texts = {
  [K in Question['kind']]: (question: Of<K>) => Omit<QuestionText, 'cancel'> & { cancel?: string };
} & {
  cancel: string;
  system: string;
  none: string;
  nothing: string;
  change: (change: WayChange) => string;
};

/** As long as any host, so that no end of one is cut off. */
const longestValue = 300;

/** A text that comes from a server, a page or a file: on one line, in one direction, and of some length at most. */
export function plain(text: string): string {
  const shown = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return shown.length > longestValue ? `${shown.slice(0, longestValue)}…` : shown;
}

/** The dates of a certificate, without the time of day. */
const day = (iso: string): string => iso.slice(0, 10);

/** What of a server would be at stake. Of extra headers it speaks only where there is no session. */
function sayHeldEn(sessions: number, headers: number): string {
  if (sessions > 0)
    return `${sessions === 1 ? 'There is a session' : `There are ${sessions} sessions`} of this server.`;
  return headers === 1 ? 'An extra header goes to this server.' : `${headers} extra headers go to this server.`;
}

function sayHeldEs(sessions: number, headers: number): string {
  if (sessions > 0) return `${sessions === 1 ? 'Hay una sesión' : `Hay ${sessions} sesiones`} de este servidor.`;
  return headers === 1
    ? 'A este servidor va una cabecera adicional.'
    : `A este servidor van ${headers} cabeceras adicionales.`;
}

const en: Texts = {
  cancel: 'Cancel',
  system: 'as the system says',
  none: 'no proxy',
  nothing: 'none',
  secrets: ({ count }) => ({
    message: `Copy ${count === 1 ? 'a secret' : `${count} secrets`} in plain text?`,
    detail:
      'Whoever gets this command can use the session or the password. It is taken out of the clipboard after 30 seconds.',
    agree: 'Copy with secrets',
  }),
  erase: () => ({
    message: 'Erase everything that Llavero has on this computer?',
    detail:
      'Sessions, servers, settings, recorded calls, the accounts of the built-in server and their snapshots. This cannot be undone. Servers are not notified: sessions there last until they expire or you log out first. Llavero then quits.',
    agree: 'Erase everything',
  }),
  'open-outside': ({ baseUrl }) => ({
    message: `Open ${new URL(baseUrl).host} in your browser?`,
    detail: baseUrl,
    agree: 'Open',
  }),
  'open-link': ({ name, baseUrl }) => ({
    message: `Switch to ${plain(name)}?`,
    detail: `A link asks for this server. Its address: ${baseUrl}`,
    agree: 'Switch',
  }),
  trust: ({ host, certificate, instead }) => ({
    message: `Trust this certificate for ${host}?`,
    detail: [
      instead
        ? 'It is a different certificate from the one that you trusted there until now.'
        : 'Nobody that this computer knows vouches for it.',
      'Whoever holds its key will get your password and your sessions of this server. Compare the fingerprint with one that you got in another way.',
      '',
      `For: ${plain(certificate.subject)}`,
      `Issued by: ${plain(certificate.issuer)}`,
      `Valid: ${day(certificate.validFrom)} to ${day(certificate.validTo)}`,
      `SHA-256: ${certificate.sha256}`,
    ].join('\n'),
    agree: 'Trust it',
  }),
  way: ({ host, sessions, headers, changes }) => ({
    message: `Change how Llavero reaches ${host}?`,
    detail: [
      `${sayHeldEn(sessions, headers)} Whoever runs a proxy, or is trusted by a certificate, may be able to read what goes through. Agree only if you have just changed this yourself.`,
      '',
      ...changes.map(en.change),
    ].join('\n'),
    agree: 'Change it',
  }),
  change(change) {
    switch (change.what) {
      case 'address':
        return `Address: ${plain(change.from)} → ${plain(change.to)}. The sessions of the old address stay unused until it is restored.`;
      case 'proxy':
        return `Proxy: ${sayProxy(change.from, en)} → ${sayProxy(change.to, en)}`;
      case 'authority':
        return `Private authority: ${plain(change.from ?? en.nothing)} → ${plain(change.to ?? en.nothing)}`;
      case 'clientCertificate':
        return `Client certificate: ${plain(change.from ?? en.nothing)} → ${plain(change.to ?? en.nothing)}`;
      case 'distrust':
        return 'Trust: by one certificate that you chose → by every authority that this computer knows';
      default:
        return change satisfies never;
    }
  },
  'imported-proxies': ({ listed, unlisted }) => ({
    message: 'Use the proxies of this file?',
    detail: [
      'The file says that these servers are reached through a proxy. Whoever runs it sees where you connect, and reads what is not encrypted.',
      '',
      ...listed.map(({ proxy, hosts }) => `${sayProxy(proxy, en)}: for ${sayHosts(hosts, 'and')}`),
      ...(unlisted > 0 ? [`Left out in any case: ${unlisted} more.`] : []),
    ].join('\n'),
    agree: 'Use them',
    cancel: 'Leave them out',
  }),
  'first-password': ({ host, origin, proxy }) => ({
    message: `Send a password to ${host} for the first time?`,
    detail: [
      ...(origin === undefined
        ? []
        : [`No password went to ${plain(origin)} before, and you did not type this address.`]),
      ...(proxy ? [`It would go through ${sayProxy(proxy, en)}, which no password did before.`] : []),
    ].join('\n'),
    agree: 'Send it',
  }),
};

const es: Texts = {
  cancel: 'Cancelar',
  system: 'como dice el sistema',
  none: 'sin proxy',
  nothing: 'ninguno',
  secrets: ({ count }) => ({
    message: `¿Copiar ${count === 1 ? 'un secreto' : `${count} secretos`} a la vista?`,
    detail:
      'Quien tenga este comando puede usar la sesión o la contraseña. Se quita del portapapeles a los 30 segundos.',
    agree: 'Copiar con los secretos',
  }),
  erase: () => ({
    message: '¿Borrar todo lo que Llavero tiene en este equipo?',
    detail:
      'Sesiones, servidores, ajustes, llamadas guardadas, las cuentas del servidor integrado y sus instantáneas. No se puede deshacer. No se avisa a los servidores: allí las sesiones duran hasta que caducan, salvo que cierres sesión antes. Llavero se cierra después.',
    agree: 'Borrar todo',
  }),
  'open-outside': ({ baseUrl }) => ({
    message: `¿Abrir ${new URL(baseUrl).host} en tu navegador?`,
    detail: baseUrl,
    agree: 'Abrir',
  }),
  'open-link': ({ name, baseUrl }) => ({
    message: `¿Cambiar a ${plain(name)}?`,
    detail: `Un enlace pide este servidor. Su dirección: ${baseUrl}`,
    agree: 'Cambiar',
  }),
  trust: ({ host, certificate, instead }) => ({
    message: `¿Confiar en este certificado para ${host}?`,
    detail: [
      instead
        ? 'Es distinto del certificado en el que confiabas allí hasta ahora.'
        : 'Nadie que este equipo conozca responde por él.',
      'Quien tenga su clave recibirá tu contraseña y tus sesiones de este servidor. Compara la huella con una que te haya llegado por otra vía.',
      '',
      `Para: ${plain(certificate.subject)}`,
      `Emitido por: ${plain(certificate.issuer)}`,
      `Válido: del ${day(certificate.validFrom)} al ${day(certificate.validTo)}`,
      `SHA-256: ${certificate.sha256}`,
    ].join('\n'),
    agree: 'Confiar',
  }),
  way: ({ host, sessions, headers, changes }) => ({
    message: `¿Cambiar cómo llega Llavero a ${host}?`,
    detail: [
      `${sayHeldEs(sessions, headers)} Quien lleva un proxy, o tiene un certificado en el que se confía, quizá pueda leer lo que pasa. Acepta solo si acabas de cambiarlo tú.`,
      '',
      ...changes.map(es.change),
    ].join('\n'),
    agree: 'Cambiarlo',
  }),
  change(change) {
    switch (change.what) {
      case 'address':
        return `Dirección: ${plain(change.from)} → ${plain(change.to)}. Las sesiones de la dirección anterior quedan sin uso hasta que se restaure.`;
      case 'proxy':
        return `Proxy: ${sayProxy(change.from, es)} → ${sayProxy(change.to, es)}`;
      case 'authority':
        return `Autoridad privada: ${plain(change.from ?? es.nothing)} → ${plain(change.to ?? es.nothing)}`;
      case 'clientCertificate':
        return `Certificado de cliente: ${plain(change.from ?? es.nothing)} → ${plain(change.to ?? es.nothing)}`;
      case 'distrust':
        return 'Confianza: por un certificado que elegiste → por toda autoridad que este equipo conoce';
      default:
        return change satisfies never;
    }
  },
  'imported-proxies': ({ listed, unlisted }) => ({
    message: '¿Usar los proxies de este archivo?',
    detail: [
      'El archivo dice que a estos servidores se llega por un proxy. Quien lo lleva ve adónde te conectas y lee lo que no va cifrado.',
      '',
      ...listed.map(({ proxy, hosts }) => `${sayProxy(proxy, es)}: para ${sayHosts(hosts, 'y')}`),
      ...(unlisted > 0 ? [`Se dejan fuera en todo caso: ${unlisted} más.`] : []),
    ].join('\n'),
    agree: 'Usarlos',
    cancel: 'Dejarlos fuera',
  }),
  'first-password': ({ host, origin, proxy }) => ({
    message: `¿Enviar una contraseña a ${host} por primera vez?`,
    detail: [
      ...(origin === undefined
        ? []
        : [`Todavía no se ha enviado ninguna contraseña a ${plain(origin)}, y esta dirección no la escribiste tú.`]),
      ...(proxy ? [`Iría por ${sayProxy(proxy, es)}, por donde todavía no ha pasado ninguna contraseña.`] : []),
    ].join('\n'),
    agree: 'Enviarla',
  }),
};

const texts: Record<string, Texts> = { en, es };

/** What main asks, in a person's language. */
export function sayQuestion(question: Question, language: Language): QuestionText {
  // A further language asks in English: each of these is a sentence with parts that a table of texts cannot hold.
  const said = texts[language] ?? en;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A text is looked up by the kind of the question, which the type of a table cannot say.
  const say = said[question.kind] as (question: Question) => ReturnType<Texts[Question['kind']]>;
  return { cancel: said.cancel, ...say(question) };
}

function sayProxy(proxy: ProxySettings, said: Texts): string {
  switch (proxy.mode) {
    case 'system':
      return said.system;
    case 'none':
      return said.none;
    case 'pac':
      return plain(`PAC ${proxy.url}`);
    case 'manual':
      return plain(`${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`) + sayExceptions(proxy.noProxy);
    default:
      return proxy satisfies never;
  }
}

/** Hosts that are asked without the proxy, in the sign that both languages know. */
const sayExceptions = (noProxy: readonly string[]): string =>
  noProxy.length === 0 ? '' : ` (≠ ${plain(noProxy.join(', '))})`;

const mostHosts = 5;

function sayHosts(hosts: readonly string[], and: string): string {
  const shown = hosts.slice(0, mostHosts).map(plain).join(', ');
  return hosts.length > mostHosts ? `${shown} ${and} ${hosts.length - mostHosts}` : shown;
}
