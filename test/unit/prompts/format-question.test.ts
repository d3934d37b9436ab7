import { describe, expect, it } from 'vitest';
import type { ProxySettings } from '../../../preload/contract/connection.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { formatQuestion } from '../../../main/window/prompts/format-question.ts';

const manual: ProxySettings = {
  mode: 'manual',
  proxy: { scheme: 'http', host: 'proxy.example.test', port: 3128 },
  noProxy: ['a.test', 'b.test'],
};
const certificate = {
  subject: 'CN=shop\u202E.example',
  issuer: 'CN=Nobody',
  names: [],
  validFrom: '2026-01-02T03:04:05Z',
  validTo: '2027-01-02T03:04:05Z',
  sha256: 'ab'.repeat(32),
};
const host = 'shop.example.test';
const none = { kind: 'connection', host, sessions: 0, logouts: 0, headers: 0 } as const;
const nothingImported = {
  kind: 'import-servers',
  file: 'team.json',
  added: [],
  changed: [],
  proxies: [],
  unlisted: 0,
  sessions: 0,
  logouts: 0,
  headers: 0,
} as const;

/** Each question, and what it must say in each language. */
const questions: [question: DialogQuestion, en: RegExp, es: RegExp][] = [
  [{ kind: 'secrets', count: 1 }, /^Copy a secret in plain text\?/, /^¿Copiar un secreto sin ocultar\?/],
  [{ kind: 'secrets', count: 3 }, /^Copy 3 secrets in plain text\?/, /^¿Copiar 3 secretos sin ocultar\?/],
  [{ kind: 'erase' }, /Erase everything\nCancel$/, /Borrar todo\nCancelar$/],
  [
    { kind: 'open-outside', baseUrl: `https://${host}/app` },
    /^Open shop.example.test in/,
    /^¿Abrir shop.example.test en/,
  ],
  [
    { kind: 'try-made-up', host, production: true },
    /^Create one account at shop\.example\.test\?\nLlavero creates one account at shop\.example\.test [^]*production[^]*\nCreate and try\nCancel$/,
    /^¿Crear una cuenta en shop\.example\.test\?\nLlavero crea una cuenta en shop\.example\.test [^]*producción/,
  ],
  [{ kind: 'install-update', version: '1.2.3' }, /^Install Llavero 1\.2\.3 now[^]*Later$/, /Más tarde$/],
  [
    { kind: 'open-link', name: 'Shop {{baseUrl}}', baseUrl: 'https://a.test' },
    /^Switch to Shop \{\{baseUrl\}\}\?/,
    /: https:\/\/a\.test\n/,
  ],
  [
    { kind: 'trust', host, certificate, instead: true },
    /differs[^]*For: CN=shop .example\n[^]*Valid: 2026-01-02 to 2027-01-02\nSHA-256: abab/,
    /Válido: del 2026-01-02 al 2027-01-02/,
  ],
  [
    {
      kind: 'trust',
      host,
      certificate: { ...certificate, subject: 'CN={{issuer}}$t(questions.erase)' },
      instead: false,
    },
    /No authority[^]*For: CN=\{\{issuer\}\}\$t\(questions\.erase\)\nIssued by: CN=Nobody\n/,
    /Ninguna autoridad[^]*Para: CN=\{\{issuer\}\}\$t\(questions\.erase\)\n/,
  ],
  [
    { ...none, headers: 2, changes: [{ what: 'distrust' }] },
    /\nSent over the new connection: the next password and the values of 2 extra headers\.\nThe operator[^]*\n\nTrust: one/,
    /\nSe envía por la nueva conexión: la próxima contraseña y los valores de 2 cabeceras[^]*\n\nConfianza: /,
  ],
  [
    { ...none, sessions: 1, logouts: 2, changes: [{ what: 'address', from: 'https://a.test', to: 'https://b.test' }] },
    /: one session and 2 logouts not confirmed by the server\.\n\nAddress: https:\/\/a\.test → https:\/\/b\.test\n/,
    /: una sesión y 2 cierres de sesión pendientes en el servidor\.\n\nDirección: https:\/\/a\.test → https:\/\/b\.test\n/,
  ],
  [
    {
      ...none,
      sessions: 2,
      changes: [
        { what: 'proxy', from: { mode: 'system' }, to: manual },
        { what: 'authority', from: undefined, to: '/ca.pem' },
      ],
    },
    /the next password and 2 sessions\.[^]*Proxy: system proxy → http:\/\/proxy.example.test:3128 \(≠ a.test, b.test\)\nPrivate CA: none → \/ca\.pem/,
    / y 2 sesiones\.[^]*Proxy: proxy del sistema → http/,
  ],
  [
    {
      ...nothingImported,
      added: Array.from({ length: 10 }, (_, index) => ({ name: `s${index}`, address: `https://s${index}.test` })),
    },
    /^Import the servers of team\.json\?\nNew:\ns0: https:\/\/s0\.test\n[^]*\ns7: https:\/\/s7\.test\nand 2 more\nImport\nCancel$/,
    /^¿Importar los servidores de team\.json\?\nNuevos:\n[^]*\ny 2 más\nImportar\nCancelar$/,
  ],
  [
    {
      ...nothingImported,
      changed: [
        {
          name: 'shop\u202E',
          address: 'https://b.test',
          changes: [
            { what: 'address', from: 'https://a.test', to: 'https://b.test' },
            { what: 'interface', from: 'Ours (POST /in)', to: 'Strapi (POST /api/auth/local)' },
          ],
          losesProduction: true,
        },
      ],
      proxies: [{ proxy: { mode: 'none' }, hosts: ['1', '2', '3', '4', '5', '6', '7'] }],
      unlisted: 4,
      sessions: 2,
      headers: 1,
    },
    /\?\nChanged:\nshop : https:\/\/b\.test\n {3}Address: https:\/\/a\.test → https:\/\/b\.test\n {3}API description: [^\n]*\n {3}No longer marked as production\n\nRemoved here, [^\n]*: 2 sessions and the value of one extra header\.\n\nThe file sets a proxy [^\n]*\nno proxy: for 1, 2, 3, 4, 5 and 2 more\nLeft out in any case: 4 more\.\nImport\n/,
    /\?\nCambian:\n[^]*\n {3}Deja de estar marcado como producción\n\nSe quita aquí, [^\n]*: 2 sesiones y el valor de una cabecera adicional\.[^]*\nsin proxy: para 1, 2, 3, 4, 5 y 2 más\nSe dejan fuera en todo caso: 4 más\./,
  ],
  [
    { kind: 'new-origin', origin: 'https://a.test:8443', isNew: true, proxy: manual },
    /^Connect to https:\/\/a\.test:8443\?\nNothing has been sent[^]*The connection uses http:[^]*\nConnect\nCancel$/,
    /^¿Conectar con https:\/\/a\.test:8443\?[^]*La conexión usa http/,
  ],
];

describe('a question of the system', () => {
  it.each(questions)('%j says everything in both languages', (question, en, es) => {
    const whole = (language: string) => {
      const { message, detail, agree, cancel } = formatQuestion(question, language);
      return [message, detail, agree, cancel].join('\n');
    };
    expect(whole('en')).toMatch(en);
    expect(whole('es')).toMatch(es);
    // Hostile names stand as they are.
    expect((whole('en') + whole('es')).replaceAll(/\{\{(?:baseUrl|issuer)\}\}/g, '')).not.toContain('{{');
  });
});
