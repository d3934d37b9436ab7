import { describe, expect, it } from 'vitest';
import type { TransportCall } from '../../../main/client/call.ts';
import { redactInterpretation } from '../../../main/client/redact-interpretation.ts';
import { interpret } from '../../../main/client/interpret.ts';
import { recordedCall } from '../../../main/client/recording/recorded-call.ts';
import { redactCall } from '../../../main/client/recording/redact-call.ts';
import { redactJson } from '../../../main/client/reading/json-text.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';
import { truncateBodies } from '../../../main/check/truncate-bodies.ts';
import { renderMarkdownReport } from '../../../main/check/reports/markdown-report.ts';
import { formatHar } from '../../../main/tools/calls/har.ts';
import { createSeededRandom } from '../../prove/random.ts';
import { reportWith } from '../../support/report.ts';

const opaque = 'Zx81opaqueValue99';

function callOf(body: string, answerHeaders: [string, string][] = [], sent?: string): TransportCall {
  return {
    id: 'e1',
    startedAt: '2026-11-21T10:00:00.000Z',
    request: {
      method: 'GET',
      url: 'http://a.test/perfil',
      headers: [],
      ...(sent !== undefined && { body: sent }),
      head: { text: 'GET /perfil HTTP/1.1\r\n\r\n', source: 'as-written' },
    },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: '1.1',
      rawHeaders: answerHeaders,
      body,
      bodyBytes: Buffer.from(body),
    },
  };
}

const fileOf = (body: string, headers?: [string, string][], sent?: string): string =>
  JSON.stringify(redactCall(callOf(body, headers, sent), new SecretRegistry(), undefined).kept);

/** What is written down of an answer and what the page and the saved file have. */
function shownOf(answer: unknown): string {
  const body = JSON.stringify(answer);
  return `${fileOf(body)} ${redactJson(body)?.text}`;
}

/** Each of a list by itself, so that one run says all that do not hold. */
const shownAmong = (names: readonly string[], value: unknown): string[] =>
  names.filter((name) => shownOf({ user: { id: 1, [name]: value } }).includes(opaque));

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Every name that the lists of issue 44 had, and spellings that they hid. */
const hiddenBefore = words(`
  passw passwd password Password userPassword passwort passwrd passphrase passcode psw pwd userpwd dbpwd pwd_hash contrasena
  contraseña contrasenya senha novaSenha nova_senha novasenha motdepasse mot_de_passe motDePasse kennwort wachtwoord parola
  haslo hasło heslo lozinka losenord lösenord losen salasana jelszo jelszó sifre şifre slaptazod slaptažodis pasahitza
  parolele пароль лозинка 密码 密碼 口令 パスワード 비밀번호 סיסמה كلمةالسر كلمة_المرور userpass usrpass loginpass adminpass dbpass mypass
  newpass oldpass currentpass accountpass acctpass user_pass pass clave claveAcceso claveacceso clave_acceso nueva_clave mdp pw
  secret client_secret clientSecret clientsecret appsecret webhook_secret secretkey secret_key hash passwordhash password_hash
  pwhash salt password_salt passwordsalt token access_token accesstoken accessToken authtoken usertoken githubtoken tokenvalue
  id_token otp totp otpcode otp_secret totpSecret smsotp pin userPin user_pin pincode apikey api_key apiKey x-api-key APIKEY
  APIKey privatekey private_key accesskey access_key accessKeyId recovery recovery_code recoverycode recoveryCodes account_recovery
  cookie sessioncookie session_cookie authcookie cookies session sessionid session_id sessionId SESSIONID laravel_session
  phpsessid PHPSESSID JSESSIONID jsessionid ASP.NET_SessionId sessid sid connect.sid jwt jwttoken userJwt authorization
  Authorization credential credentials credencial credenciales credenciais backupcode backup_codes segredo geheim geheimnis
  sessiontoken _token refresh refresh_token refreshToken refreshtoken csrf csrftoken csrfmiddlewaretoken xsrf XSRF-TOKEN
  authenticity_token authenticitytoken remember rememberMe remember_token reset resetkey reset_code reset_token verification
  verificationCode verifyhash verif_code confirmation confirmationCode confirmation_token device deviceSecret device_token
  fcm fcmtoken fcm_token push pushkey push_token invite inviteKey invitation_code activation activationlink activation_key
  mfa_token mfatoken otp_token two_factor_token twofactortoken challenge_token logout_token log_out_token temp_token
  temporary_token pre_auth_token preauthtoken magic_token email_token emailtoken password_token verification_token
  confirmation_token activation_token secret_answer respuesta_secreta secreta secrets tokens hashes sessions`);

/** Usual names of secrets (F6), of which many were kept in clear. */
const usual = words(`
  bearer ticket sso_ticket service_ticket tgt tgc apikey x-api-key client_secret assertion client_assertion saml_response
  SAMLResponse samlresponse id_token code_verifier codeVerifier oauth_verifier magic_link magicLink magic_url connection_string
  connectionString dsn private_pem privatePem seed_phrase seedPhrase mnemonic pat webhook_secret signing_key signingKey
  encryption_key master_key auth_key service_key account_key storage_key shared_access_signature sas license_key consumer_key
  app_key server_key client_key deploy_key hmac_key root_key data_key access_code auth_code authorization_code security_code
  verification_code login_code sms_code one_time_code oneTimeCode backup_key recovery_key recovery_phrase scratch_codes otpauth
  otpauth_url login_link one_time_link login_cookie auth_cookie sessionKey session_key sessId pepper puk signature nonce seed key
  challenge state webhook webhook_url keytab pem unlock hmac digest reset_url verification_url invite_link passkey opaque
  jeton gettone jeton_acces cle_api clé_api chave_api chave_acesso chiave_api chiave_privata llave_privada clave_api
  api-schlüssel zugangsdaten anmeldedaten identifiants credenziali codigo_verificacion codigo_de_verificacion codice_di_verifica
  code_de_verification codigo_acceso codigo_de_seguranca bestätigungscode sicherheitscode zugangscode einmalcode
  einmalpasswort frase_secreta mot_secret palavra_passe security_answer`);

/** What stands in answers and is no secret. */
const harmless: Record<string, unknown> = {
  secretary: 'Eva',
  hashtag: '#paz',
  hashtags: ['#paz9a8b7c6d'],
  invited_by: 'Luis',
  devices: [{ location: 'Vigo', name: 'Pixel 7', model: 'SM-G991B', os: 'iOS17.2' }],
  recovery_email: 'x1b2c3d4@b.test',
  recovery_phone: '+34 600 123 456',
  backup_email: 'ana.gil@b.test',
  last_session: '2026-01-01T10:00:00Z',
  session_started: '2026-01-01 10:00:00',
  session_timeout: 3600,
  session_count: 1500000,
  session_type: 'web2',
  session: { user: { name: 'Ana', role: 'admin' }, expires: '2026-12-01T00:00:00.000Z' },
  sessions: [{ browser: 'Firefox 120.0.1', ip: '10.0.0.1', current: true }],
  secret_question: 'Nombre de tu perro',
  secret_santa: 'Luis',
  tokenized_at: '2026-01-01',
  tokenizer: 'cl100k_base',
  passenger: 'Luis',
  passengers: ['Luis'],
  passport_country: 'ES',
  keyboard: 'qwerty9a8b7c6d5e',
  monkey: 'George9a8b7c6d',
  pinterest: 'https://pinterest.test/ana',
  pinned: 'note 12345678',
  spinner: 'on9a8b7c6d5e4',
  saltillo: 'Coahuila',
  basalt: 'rock9a8b7c6d',
  token_type: 'Bearer',
  tokenType: 'JWT',
  tokentype: 'bearer',
  expires_in: 31536000,
  token_expires_at: '2026-12-01T00:00:00Z',
  tokenExpiresIn: 1767225600,
  token_expiry: 1767225600000,
  token_status: 'active',
  token_count: 12,
  token_endpoint: 'https://a.test/oauth/token',
  max_tokens: 4096,
  password_changed_at: '2026-01-01',
  passwordChangedAt: '2026-01-01T00:00:00Z',
  last_password_change: '2026-01-01',
  password_policy: 'at least 8',
  password_length: 12,
  passwordHint: 'my dog',
  password_strength: 'good',
  breachedPasswordStatus: 'None',
  has_password: true,
  hasPassword: 'yes',
  otp_enabled: true,
  otp_required: false,
  otp_type: 'totp',
  mfa_enabled: true,
  mfa: { enabled: true, method: 'app' },
  two_factor_method: 'sms',
  secret: null,
  verified: true,
  verified_email: 'ana@b.test',
  email_verified: true,
  verification_status: 'pending',
  confirmation: 'pending',
  confirmed_by: 'Luis',
  activation: 'done',
  activated: '2026-01-01',
  reset_at: '2026-01-01',
  reset_required: false,
  cookie_consent: 'all',
  cookie_policy: 'https://a.test/cookies',
  cookies: 'accepted',
  cookie: 'theme=dark',
  salt: 'NaCl',
  hash: 'sha256',
  hash_algorithm: 'pbkdf2-sha256',
  hashAlgorithm: 'AES256',
  device: 'iPhone14,2',
  device_name: 'Ana 9a8b7c6d5e4f',
  device_type: 'phone',
  push_enabled: true,
  push_notifications: 'daily',
  push: 'on',
  key: 'settings.theme',
  public_key: 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A',
  primary_key: 'a1b2c3d4e5f6',
  code: 'INVALID_CREDENTIALS',
  error_code: 'P2002',
  postal_code: 'SW1A1AA',
  country_code: '34',
  codigo_postal: '36201',
  pin: 'Madrid',
  signature: 'Un saludo, Ana',
  seed: 'sunflower',
  nonce: 'once',
  state: 'Galicia',
  auth: 'google-oauth2',
  auth_provider: 'facebook',
  authorizations: ['read', 'write'],
  access: 'admin',
  access_level: 'owner',
  refresh_interval: 30,
  refresh_rate: '60 Hz',
  last_refresh: '2026-01-01T00:00:00Z',
  remember_me: true,
  invitation: 'accepted',
  invitations: 3,
  invited: 'yes',
  challenge: 'none',
  recovery: 'email',
  recovery_enabled: true,
  client_id: 'web9a8b7c6d5e4f',
  resenha: 'Muito bom',
  bypass_window: 'night',
  compass_width: '20 cm',
  possession: 'ball9a8b7c6d',
  palabras_clave: ['seo', 'web'],
  clave_publica: 'AAAAB3NzaC1yc2E9a8b7c6d',
  email: 'ana@example.test',
  id: 7,
};

describe('a name of a secret', () => {
  it('hides an opaque value, of every name that was hidden before', () => {
    expect(hiddenBefore.length).toBeGreaterThan(200);
    expect(shownAmong(hiddenBefore, opaque)).toEqual([]);
    expect(shownAmong(hiddenBefore, [opaque])).toEqual([]);
    expect(shownAmong(hiddenBefore, { value: opaque })).toEqual([]);
  });

  it('hides an opaque value, of the usual ones', () => {
    expect(usual.length).toBeGreaterThan(100);
    expect(shownAmong(usual, opaque)).toEqual([]);
    expect(shownAmong(usual, { list: [{ a: opaque }] })).toEqual([]);
  });

  it.each([
    ...words(
      'password user_password pwd senha mdp clave token authtoken bearer ticket apikey csrf sid sessionid jwt refresh',
    ),
    ...words(
      'credentials client_secret secret_answer otp pat verification_code recovery_codes mnemonic magic_link dsn',
    ),
  ])('%s can only mean one, and hides whatever it is', (name) => {
    for (const value of ['wort', 'a b', '7', { inner: { deep: 'wort' } }, 'wort here'])
      expect(shownOf({ [name]: value })).not.toMatch(/wort|"a b"|"7"/);
    expect(shownOf({ [name]: 123456 })).not.toContain('123456');
  });

  it.each([
    ['secret', 'JBSWY3DPEHPK3PXP'],
    ['secret', 's3cr3t'],
    ['hash', '5f4dcc3b5aa765d61d8327deb882cf99'],
    ['salt', 'a1b2c3d4'],
    ['session', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['session', 'kQxZrTvLmNpWcYsBdFgH'],
    ['cookie', 'theme=dark; sid=abc'],
    ['recovery', 'AB12-CD34'],
    ['recovery', 'abcd-efgh'],
    ['recovery', '1234-5678'],
    ['backup', 'abcd efgh ijkl mnop'],
    ['verification', '482913'],
    ['code', '482913'],
    ['pin', '1234'],
    ['invite', 'x7k2p9'],
    ['seed', 'apple banana cherry table chair floor water stone light green river cloud'],
    ['reset_url', 'https://a.test/reset/q8ZrT3vLmN6xWc0K'],
    ['reset_url', 'https://a.test/reset?token=abc'],
    ['token_status', 'Zx81opaqueValue99'],
    ['key', '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEF'],
  ])('%s may mean one, and hides what looks opaque: %s', (name, value) => {
    expect(shownOf({ a: { [name]: value } })).not.toContain(JSON.stringify(value).slice(1, -1));
  });

  it.each(Object.entries(harmless))('shows %s', (name, value) => {
    const body = JSON.stringify({ [name]: value });
    expect(redactJson(body)).toEqual({ text: body, leftOut: [], leftOutMore: 0 });
    expect(fileOf(body)).toContain(JSON.stringify(body).slice(1, -1));
  });
});

/** Names as other servers spell them: with other separators, capitals, words around them. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replaceAll(/[_-](\p{L})/gu, (_both, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll('_', '-'),
  (name) => name.replaceAll('_', '.'),
  (name) => `user_${name}`,
  (name) => `x-${name}`,
  (name) => `${name}2`,
];

describe('an answer with twelve secrets under random names', () => {
  it('shows none of them: in the file, on the page, in an export, in a report', () => {
    const random = createSeededRandom(45);
    const one = <T>(all: readonly T[]): T => all[random.whole(0, all.length)]!;
    const secret = (): string => `Zx${random.whole(10, 99)}q${random.whole(1000, 9999)}Vb${random.whole(10, 99)}kL`;
    const leaks: string[] = [];
    for (let answers = 0; answers < 150; answers++) {
      const placed = Array.from({ length: 12 }, () => ({
        name: one(spellings)(one([...hiddenBefore, ...usual])),
        value: secret(),
      }));
      const wrap = (value: unknown): unknown =>
        one<(inner: unknown) => unknown>([
          (inner) => inner,
          (inner) => [inner],
          (inner) => ({ data: { list: [inner] } }),
          (inner) => ({ value: inner }),
          (inner) => JSON.stringify({ inner }),
        ])(value);
      const fields = placed.slice(0, 8).map(({ name, value }, at) => ({ [`part${at}`]: { [name]: wrap(value) } }));
      const body = JSON.stringify({
        user: { id: 1, name: 'Ana', email: 'ana@a.test', ...Object.assign({}, ...fields) },
      });
      const [query, fragment, parameter, cookie] = placed
        .slice(8)
        .map(({ name, value }) => [encodeURIComponent(name), value]);
      const call = callOf(body, [
        ['Location', `https://b.test/cb?lang=es&${query!.join('=')}#${fragment!.join('=')}`],
        [
          'WWW-Authenticate',
          `Bearer realm="x", ${/^[\w.-]+$/.test(parameter![0]!) ? parameter![0] : 'token'}="${parameter![1]}"`,
        ],
        ['Set-Cookie', `${cookie!.join('=')}; Path=/`],
      ]);
      const interpreted = interpret('profile', call.response!, call.request.url, {});
      const secretRegistry = new SecretRegistry();
      const { recorded } = recordedCall('server', { ...call, interpreted }, secretRegistry);
      const reading = redactInterpretation(interpreted, []);
      const { token: _forTheVault, ...summary } = reading.summary;
      const written = {
        file: JSON.stringify(recorded),
        page: JSON.stringify({ ...reading, summary }),
        export: formatHar([recorded], { name: 'Llavero', version: '1' }),
        report: renderMarkdownReport({ ...reportWith('x'), evidence: [truncateBodies(recorded)] }, 'en'),
      };
      for (const [where, text] of Object.entries(written))
        for (const { name, value } of placed) if (text.includes(value)) leaks.push(`${where}: ${name}`);
    }
    expect(leaks).toEqual([]);
  });
});

describe('who somebody is', () => {
  it.each([
    ['sub', 'auth0|5f7c8ec7c33c6c004bbafe82'],
    ['user_id', 'google-oauth2|103547991597142817347'],
    ['id', 'auth0|5f7c8ec7c33c6c004bbafe82'],
    ['_id', 'windowslive|5f7c8ec7c33c6c00'],
    ['uid', 'samlp|5f7c8ec7c33c6c004bbafe82'],
  ])('may look like a token, and is shown in %s', (name, id) => {
    expect(shownOf({ [name]: id, name: 'Ana' }).split(id)).toHaveLength(3);
  });

  it.each([
    ['in another field', { note: 'auth0|5f7c8ec7c33c6c004bbafe82' }],
    ['below the name of a secret', { token: { id: 'auth0|5f7c8ec7c33c6c004bbafe82' } }],
    ['below a session', { session: { id: 'auth0|5f7c8ec7c33c6c004bbafe82' } }],
  ])('is hidden %s', (_where, answer) => {
    expect(shownOf(answer)).not.toContain('5f7c8ec7');
  });

  it('is hidden where it was handed out as a credential', () => {
    const secretRegistry = new SecretRegistry();
    secretRegistry.register('auth0|5f7c8ec7c33c6c004bbafe82', 'token');
    const { kept } = redactCall(callOf('{"sub":"auth0|5f7c8ec7c33c6c004bbafe82"}'), secretRegistry, undefined);
    expect(JSON.stringify(kept)).not.toContain('5f7c8ec7');
  });
});

describe('a header', () => {
  it.each([
    ['Set-Cookie', `${opaque}; Path=/`],
    ['Set-Cookie', `path=${opaque}; Path=/; Secure`],
    ['Set-Cookie', `=${opaque}`],
    ['WWW-Authenticate', `Bearer realm="x", token="${opaque}"`],
    ['WWW-Authenticate', `Digest realm="x", nonce="${opaque}", opaque="${opaque}"`],
    ['WWW-Authenticate', `Custom session_key = ${opaque}, error="invalid"`],
    ['Location', `https://b.test/cb#id_token=${opaque}`],
    ['Location', `https://b.test/cb?sso_ticket=${opaque}`],
    ['Warning', `199 - "api_key=${opaque}"`],
    ['Authentication-Info', `nextnonce="${opaque}"`],
    ['Link', `<https://b.test/?token=${opaque}>; rel=next`],
    ['Refresh', `5; url=https://b.test/?token=${opaque}`],
    ['X-Auth-Token', opaque],
  ])('%s loses its secret: %s', (name, value) => {
    expect(fileOf('', [[name, value]])).not.toContain(opaque);
  });

  it.each([
    ['Set-Cookie', 'sid=x; Path=/; HttpOnly; Secure', '"; Path=/","; HttpOnly","; Secure"'],
    ['WWW-Authenticate', 'Bearer realm="x", error="invalid_token"', 'error=\\"invalid_token\\"'],
    ['Keep-Alive', 'timeout=5, max=100', 'timeout=5, max=100'],
    ['Strict-Transport-Security', 'max-age=31536000', 'max-age=31536000'],
  ])('%s shows what is no secret', (name, value, shown) => {
    expect(fileOf('', [[name, value]])).toContain(shown);
  });
});

describe('a typed password', () => {
  it.each([
    ['{"message":"abc12"}', 'abc12'],
    ['{"a":["abc12"]}', 'abc12'],
    ['abc12', 'abc12'],
    [' abc12\n', 'abc12'],
    ['<title>abc12</title>', 'abc12'],
  ])('of fewer than six characters is cut out where it is a whole value: %s', (answer, password) => {
    const kept = fileOf(answer, [], JSON.stringify({ password }));
    expect(kept).not.toContain(password);
    expect(kept).not.toContain('sha256');
  });

  it('of fewer than six characters stays in a sentence and in a name', () => {
    expect(fileOf('{"abc12":"so abc12 it is"}', [], '{"password":"abc12"}')).toContain('so abc12 it is');
  });

  it.each(['&#34;', '&#034;', '&#00034;', '&#x22;', '&#X22;', '&#x0022;', '&quot;', '&#34'])(
    'is found with its quotation mark as %s, in every place',
    (mark) => {
      const echo = `a${mark}b${mark}cdef1`;
      const sent = JSON.stringify({ password: 'a"b"cdef1' });
      for (const answer of [JSON.stringify({ debug: echo, more: `so ${echo}.` }), `<title>${echo}</title>`])
        expect(fileOf(answer, [], sent)).not.toContain('cdef1');
    },
  );

  it('is found with any of its characters written so', () => {
    const password = `Ñandú's <p>/&;`;
    const sent = JSON.stringify({ password });
    const numbers = (form: (code: number) => string): string =>
      Array.from(password, (c) => form(c.codePointAt(0)!)).join('');
    for (const echo of [
      numbers((code) => `&#${code};`),
      numbers((code) => `&#x${code.toString(16)};`),
      '&Ntilde;and&uacute;&apos;s &lt;p&gt;&sol;&amp;&semi;',
      'Ñandú&#039;s &lt;p&gt;/&amp;;',
    ])
      expect(fileOf(JSON.stringify({ debug: `so ${echo} it is` }), [], sent)).toMatch(
        /so ",\{"secret":"password","id":"[^"]*"\}," it is/,
      );
  });
});
