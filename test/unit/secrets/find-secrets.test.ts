import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../main/secrets/find-secrets.ts';
import { withDots } from '../../../main/secrets/hide.ts';

const cut = (text: string, isRefusal = false): string => withDots(text, findSecrets(text, { isRefusal }));
const token = '7|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru';
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnLWZha2U';

describe('a secret is told by its form', () => {
  it.each([
    [`Your token is ${token}.`, 'Your token is •••'],
    [`<p>Welcome! <code>${jwt}</code></p>`, '<p>Welcome! <code>•••</code></p>'],
    [`cb({"a":"${jwt}"})`, 'cb({"a":"•••"})'],
    [`data: {"note":"use ${token} now"}\n\n`, 'data: {"note":"use ••• now"}\n\n'],
    ['Authorization: Bearer abc123def456', 'Authorization: Bearer •••'],
    ['we saw "Bearer tok_12345678" there', 'we saw "Bearer •••" there'],
    ['/cart;jsessionid=1A530637289A03B07199A44E8D531427?x=1', '/cart;jsessionid=•••?x=1'],
    ['see https://ana:geheim99@host.test/a', 'see https://ana:•••@host.test/a'],
    [
      '"<a href=\\"https://a.test/?access_token=abc&lang=es\\">"',
      '"<a href=\\"https://a.test/?access_token=•••&lang=es\\">"',
    ],
    ['the hash $2y$10$abcdefghijklmnopqrstuv1234567890 is odd', 'the hash ••• is odd'],
    ['redirect=https%3A%2F%2Fa.test%2F%3Ftoken%3Dabc123', 'redirect=https%3A%2F%2Fa.test%2F%3Ftoken%3D•••'],
  ])('%s', (text, expected) => expect(cut(text)).toBe(expected));

  it.each(['Bearer', 'BASIC', 'digest', 'Negotiate', 'jwt', 'ToKeN'])(
    'what follows the scheme %s is one, after any blanks and wherever that stands',
    (scheme) => {
      const texts = ['', 'a ', 'ab ', 'abc ', 'abcd ', 'abcde '].flatMap((before) =>
        [' ', '\t', ' \t   '].map((blanks) => before + scheme + blanks),
      );
      expect(texts.map((text) => cut(`${text}tok_12345678`))).toEqual(texts.map((text) => `${text}•••`));
      expect(cut(`a${scheme} tok_12345678`)).toBe(`a${scheme} tok_12345678`);
    },
  );
});

describe('a secret is told by its name', () => {
  it.each([
    [
      '{"user_pass":"hunter2","clave":"abc","mot_de_passe":"def"}',
      '{"user_pass":"•••","clave":"•••","mot_de_passe":"•••"}',
    ],
    [
      '{"contraseña":"abc","senha":"def","PHPSESSID":"ghi","sid":"j"}',
      '{"contraseña":"•••","senha":"•••","PHPSESSID":"•••","sid":"•••"}',
    ],
    ['{"пароль":"abc","密码":"def","Passwort":"ghi"}', '{"пароль":"•••","密码":"•••","Passwort":"•••"}'],
    ['{"token":{"value":"abc","expires":"soon"}}', '{"token":{"value":"•••","expires":"soon"}}'],
    ['{"name":"access_token","value":"abc"}', '{"name":"access_token","value":"•••"}'],
    [
      '{"value":"abc","param":"password","msg":"Invalid value"}',
      '{"value":"•••","param":"password","msg":"Invalid value"}',
    ],
    ['[["password","abc"],["name","Ana"]]', '[["password","•••"],["name","Ana"]]'],
    [
      '{"loc":["body","password"],"msg":"too short","input":"abc"}',
      '{"loc":["body","password"],"msg":"too short","input":"•••"}',
    ],
    ['email=a%40b.c&password=hunter2&client_secret=xyz', 'email=a%40b.c&password=•••&client_secret=•••'],
    ['user%5Bpassword%5D=hunter2&a=1', 'user%5Bpassword%5D=•••&a=1'],
    ['user[password]=hunter2&a=1', 'user[password]=•••&a=1'],
    [
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\nhunter2 and more\r\n--b--',
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n•••\r\n--b--',
    ],
    [
      '<login><user>ana</user><password>hunter2</password></login>',
      '<login><user>ana</user><password>•••</password></login>',
    ],
    ['<s:Token type="x"><s:Value>abc</s:Value></s:Token>', '<s:Token type="x"><s:Value>•••</s:Value></s:Token>'],
    ['<user name="Ana" api-key="abc123"/>', '<user name="Ana" api-key="•••"/>'],
    ['<input type="hidden" name="_token" value="abc">', '<input type="hidden" name="_token" value="•••">'],
    ['<key>password</key><string>hunter2</string>', '<key>password</key><string>•••</string>'],
    [
      '<tr><th>password</th><td><pre>&#x27;hunter2&#x27;</pre></td></tr>',
      '<tr><th>password</th><td><pre>•••</pre></td></tr>',
    ],
    ['<string name="password">hunter2</string>', '<string name="password">•••</string>'],
    ['<password><![CDATA[hunter <2>]]></password>', '<password><![CDATA[•••]]></password>'],
    ['event: token\ndata: abc123\n\n', 'event: token\ndata: •••\n\n'],
    ["{'password': 'hunter2', 'name': 'Ana'}", "{'password': '•••', 'name': 'Ana'}"],
    [
      'Array\n(\n    [password] => hunter 2\n    [name] => Ana\n)',
      'Array\n(\n    [password] => •••\n    [name] => Ana\n)',
    ],
    [
      '<br />\n<b>Notice</b>: Undefined index\n{"token":"abc","n":1}',
      '<br />\n<b>Notice</b>: Undefined index\n{"token":"•••","n":1}',
    ],
    ['{"datos":"{\\"password\\":\\"ab\\\\\\"c\\"}"}', '{"datos":"{\\"password\\":\\"•••\\"}"}'],
    ['{"dbpass":"abc","aspsessid":"def","clavenueva":"ghi"}', '{"dbpass":"•••","aspsessid":"•••","clavenueva":"•••"}'],
    ['{"csrf":"abc","refresh":"def"}', '{"csrf":"•••","refresh":"•••"}'],
    ['{"note":"7|abcdefghij1"}', '{"note":"•••"}'],
    ['{"param":"password","value":"abc"', '{"param":"password","value":"•••"'],
    [')]}\',\n{"token":{"value":"abc"}}', ')]}\',\n{"token":{"value":"•••"}}'],
    ['Notice: odd\n{"token":{"value":"abc"}}', 'Notice: odd\n{"token":{"value":"•••"}}'],
    [`{"a": 'b', "password": 'hunter2'}`, `{"a": 'b', "password": '•••'}`],
    ['user%5Bpass%5D=hunter2&a=1', 'user%5Bpass%5D=•••&a=1'],
    ['array(1) {\n  ["password"]=>\n  string(7) "hunter2"\n}', 'array(1) {\n  ["password"]=>\n  string(7) "•••"\n}'],
    ['Set-Cookie: sid=abc; Path=/; HttpOnly\r\nX: y', 'Set-Cookie: sid=•••; Path=/; HttpOnly\r\nX: y'],
    ['Cookie: a=b; theme=dark', 'Cookie: a=•••; theme=•••'],
  ])('%s', (text, expected) => expect(cut(text)).toBe(expected));
});

describe('the name of a secret', () => {
  const passwords = `password passphrase passcode psw pwd contrasena contraseña senha mot_de_passe kennwort wachtwoord
    parola haslo heslo lozinka lösenord losenord losen salasana jelszo sifre şifre slaptazodis pasahitz parolele
    пароль 密码 pass user_pass clave mdp`.split(/\s+/);
  const others = `secret hash salt token otp pin apikey privatekey secretkey accesskey recovery cookie session jwt
    authorization credential credencial backupcode segredo geheim sid pw csrf xsrf refresh remember_me reset_key
    verification confirmation device_key fcm push_key invitation activation mfa_token magic_token`.split(/\s+/);

  const said = (name: string): string => `{"${name}":"Hb2_kd93jx","${name.toUpperCase()}":"Hb2_kd93jx"}`;

  it.each([...passwords, ...others])('%s is known', (name) => expect(cut(said(name))).not.toContain('Hb2'));
});

describe('what is no secret stays', () => {
  it.each([
    'constructor: what it is made of',
    'The password field is required.',
    'Password: must be at least 8 characters',
    'password: required',
    'Error: token: invalid',
    'Bearer authentication is needed, basic authentication is not enough',
    '{"message":"Your password was changed","token_type":"Bearer","expires_in":3600}',
    '{"field":"password","message":"This field may not be blank."}',
    '{"errors":[{"field":"password","code":"required"}]}',
    '<label for="password">Password</label><input type="password" name="password" autocomplete="current-password">',
    '<table><tr><th>Password</th><td>Required</td></tr></table>',
    '<p>a | b | c</p> 12|30 and x|y',
    'https://a.test/search?q=token&page=2#section',
    '{"session":{"user":{"name":"Ana","city":"Quito"}},"tokens_left":3}',
    '{"id":"550e8400-e29b-41d4-a716-446655440000","updated_at":"2026-11-22T10:00:00.000Z"}',
    'function authenticate(token, password) { return token === password; }',
    '{"data":[{"name":"color","value":"red"}],"path":"/password/reset"}',
  ])('%s', (text) => expect(cut(text, true)).toBe(text));
});

describe('what a refusal says of a field, in an element of its name,', () => {
  const refusal = '<errors><password>The password is too short.</password></errors>';

  it('stays', () => expect(cut(refusal, true)).toBe(refusal));
  it('is a secret where nothing was refused', () =>
    expect(cut(refusal)).toBe('<errors><password>•••</password></errors>'));
  it.each(['hunter2', 'correct horse battery staple', 'Correct Horse Battery'])(
    'is one as long as it is none: %s',
    (value) => expect(cut(`<errors><password>${value}</password></errors>`, true)).not.toContain(value),
  );
});
