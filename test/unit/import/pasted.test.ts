import { describe, expect, it } from 'vitest';
import { readDescription } from '../../../main/interface/read-description.ts';
import { found, look } from './look.ts';

const json = '{"email":"ana@x.test","password":"S3cret-ana!"}';
const quoted = json.replaceAll('"', String.raw`\"`);
const login = { method: 'POST', path: '/login', body: { email: '{{email}}', password: '{{password}}' } };
const fence = (text: string, language = '') => `\`\`\`${language}\n${text}\n\`\`\``;
const bash = `curl -X POST https://shop.test/login -H 'Content-Type: application/json' -d '${json}'`;
const me = "curl https://shop.test/me -H 'Authorization: Bearer abc'";

/** The same log-in, and what stands around it or how a program writes it. */
const texts: readonly (readonly [what: string, text: string, format?: string])[] = [
  ['a fence', fence(bash, 'bash')],
  ['a fence of tildes', `~~~sh\n${bash}\n~~~`],
  ['a fence without an end', `\`\`\`bash\n${bash}`],
  ['a fence in a list', `1. Log in:\n\n   \`\`\`bash\n   ${bash}\n   \`\`\`\n`],
  ['prose with quotation marks around a fence', `Don't forget it's here:\n\n${fence(bash)}\n\nThat's "it`],
  ['prose without a fence', `Don't register.\n\n${bash}\n\nThe server's answer isn't shown.`],
  ['prose before it in its line', `First, don't log out: ${bash}`],
  ['code in a sentence', `Use \`curl https://shop.test/login --json '${json}'\` to log in, don't you?`],
  ['several fences', `${fence('npm start')}\ntext\n${fence(bash)}\n${fence('{"token": 1', 'json')}`],
  ['a fence of JSON before it', `${fence('{"name":"app"}', 'json')}\n${fence(bash)}`],
  ['a prompt', `$ ${bash}`],
  ['a prompt with a name', `ana@pc:~/x$ ${bash}`],
  ['prompts of lines that go on', `$ curl https://shop.test/login \\\n> -H 'Accept: */*' \\\n> -d '${json}'`],
  ['a blank after the sign of a line', `curl https://shop.test/login \\ \n  --json \\  \n '${json}'`],
  ['a line without its sign', `curl -X POST https://shop.test/login\n  -H 'A: b'\n  -d '${json}'`],
  ['lines that were joined', `curl -X POST https://shop.test/login \\ -H "A: b" \\ -d '${json}'`],
  ['a script', `#!/bin/bash\nset -e\nBASE='https://shop.test'\ncurl -s "$BASE/login" -d '${json}' | jq .`],
  ['a default', `curl "\${BASE:-https://shop.test}/login" -d '${json}'`],
  ['sudo', `sudo curl https://shop.test/login -d '${json}'`],
  ['a condition', `if ! curl -sf https://shop.test/login -d '${json}'; then exit 1; fi`],
  ['a container', `docker exec -it app curl https://shop.test/login -d '${json}'`],
  ['its answer in a variable', `R=$(curl -s https://shop.test/login -d '${json}')\necho "$R"`],
  ['its token in a variable', `TOKEN=$(curl -s https://shop.test/login -d '${json}' | jq -r '.token')\n`],
  ['backquotes in a variable', `TOKEN=\`curl -s https://shop.test/login -d '${json}'\``],
  ['an export', `export TOKEN="$(curl -s "https://shop.test/login" -d "${quoted}" | sed 's/"//g')"`],
  ['a here-document', `curl https://shop.test/login -d @- <<EOF\n${json}\nEOF`],
  ['a quoted here-document', `curl https://shop.test/login --data @- <<-'END' | jq\n\t${json}\n\tEND\necho`],
  ['a here-document in its place', `curl https://shop.test/login -d "$(cat <<EOF\n${json}\nEOF\n)"`],
  ['a here-string', `curl https://shop.test/login -d @- <<< '${json}'`],
  ['echo', `echo '${json}' | curl https://shop.test/login -d @-`],
  ['printf', `printf '%s' '${json}' | curl https://shop.test/login -d @-`],
  ['cat', `cat <<EOF | curl https://shop.test/login -d @-\n${json}\nEOF`],
  ['a value in a variable', `DATA='${json}'\ncurl https://shop.test/login -d "$DATA"`],
  ['quotation marks of cmd', `curl https://shop.test/login -d "${json.replaceAll('"', '""')}"`],
  ['quotation marks of cmd with a sign', `curl https://shop.test/login -d "${quoted}"`],
  ['carets of cmd', `curl "https://shop.test/login" ^\r\n  -H "A: b" ^\r\n  -d "${quoted}"`],
  ['carets of cmd with blanks', `curl "https://shop.test/login" ^ \n  -d "${quoted}"`],
  ['curl.exe in PowerShell', `curl.exe -X POST "https://shop.test/login" \`\n  -H "A: b" \`\n  -d '${quoted}'`],
  ['curl in PowerShell with variables', `$base = "https://shop.test"\ncurl.exe "$base/login" -d '${json}'`],
  ['typographic quotation marks', `curl “https://shop.test/login” –H ‘A: b’ —data ‘${json.replaceAll('"', '“')}’`],
  [
    'PowerShell',
    `Invoke-RestMethod -Uri https://shop.test/login -Method Post -Body (@{email='a@b.test'; password='x'} | ConvertTo-Json) -ContentType 'application/json'`,
    'powershell',
  ],
  [
    'PowerShell with variables',
    `$body = @{\n  email = "a@b.test"\n  password = "x"\n} | ConvertTo-Json -Depth 5\n$r = Invoke-RestMethod "https://shop.test/login" -Method POST -Body $body\n$r.token`,
    'powershell',
  ],
  [
    'PowerShell with a table',
    `$p = @{\n  Uri = 'https://shop.test/login'\n  Method = 'Post'\n  Body = '${json}'\n}\nirm @p`,
    'powershell',
  ],
  [
    'PowerShell with a text of lines',
    `$b = @"\n${json}\n"@\niwr -useb https://shop.test/login -Method Post -Body $b`,
    'powershell',
  ],
  [
    'PowerShell with an address that is made',
    `$BaseUri = 'https://shop.test'\n$l = Invoke-WebRequest -SessionVariable s -Method Post -Uri ([uri]::new($BaseUri, '/login')) -Body (@{ email = $e; password = $p } | ConvertTo-Json)\nif ($l.StatusCode -ne 204) { throw 'no' }`,
    'powershell',
  ],
  [
    'PowerShell of a browser',
    `$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n$session.UserAgent = "Mozilla/5.0 (X11)"\nInvoke-WebRequest -UseBasicParsing -Uri "https://shop.test/login" \`\n-Method "POST" \`\n-WebSession $session \`\n-Headers @{\n"accept"="*/*"\n} \`\n-ContentType "application/json" \`\n-Body "${json.replaceAll('"', '`"')}"`,
    'powershell',
  ],
  ['HTTPie', 'http POST https://shop.test/login email=ana@x.test password=x', 'httpie'],
  ['HTTPie in small letters', '1. Get a token: http post https://shop.test/login email=a@b.test password=x', 'httpie'],
  ['HTTPie by its own scheme', 'https --body shop.test/login email=a@b.test password:=\'"x"\'', 'httpie'],
  ['HTTPie with a text', `http https://shop.test/login --raw '${json}'`, 'httpie'],
  ['HTTPie with echo', `echo '${json}' | http POST https://shop.test/login`, 'httpie'],
  ['xh', 'xh https://shop.test/login email=a@b.test password=x', 'httpie'],
  ['wget', `wget -qO- --header 'A: b' --post-data '${json}' https://shop.test/login`, 'wget'],
  ['a message', `POST /login HTTP/1.1\nHost: shop.test\nContent-Type: application/json\n\n${json}`, 'http'],
  ['a message with its length', `POST https://shop.test/login HTTP/2\ncontent-length: 9\n\n${json}\n`, 'http'],
  ['a message without a version', `POST https://shop.test/login\nContent-Type: application/json\n\n${json}`, 'http'],
  ['a message in a document', `## Log in\n\n${fence(`POST https://shop.test/login\n${json}`, 'http')}`, 'http'],
  ['a heading and JSON', `### POST https://shop.test/login\n\nBody:\n\n${fence(json, 'json')}`, 'http'],
  [
    'a file of requests',
    `@host = https://shop.test\n\n### Log in\n# @name login\nPOST {{host}}/login\n\n${json}\n`,
    'http',
  ],
  [
    'fetch',
    `fetch("https://shop.test/login", {\n  "headers": {"a": "b"},\n  "body": "${quoted}",\n  "method": "POST",\n  "mode": "cors"\n});`,
    'fetch',
  ],
  [
    'fetch of a document',
    `const API = 'https://shop.test'; // the server's\nconst login = async (email, password) => {\n  const r = await fetch(\`\${API}/login\`, { method: 'POST', body: JSON.stringify({ email, password }) });\n  return (await r.json()).token;\n};`,
    'fetch',
  ],
  ['axios', `await axios.post('https://shop.test/login', { email: "a@b.test", password: 'x' });`, 'axios'],
  [
    'axios with settings',
    `axios({ method: 'post', url: 'https://shop.test/login', data: { email, password } })`,
    'axios',
  ],
  [
    'axios with a base',
    `const api = axios.create({\n  baseURL: process.env.API_URL || 'https://shop.test',\n});\napi.post('/login', { email, password }).then((r) => r.data)`,
    'axios',
  ],
  [
    'TypeScript',
    `const base = 'https://shop.test';\nreturn this.http.post<Session>(\`\${base}/login\`, { email: form.email, password: form.password } as Body);`,
    'axios',
  ],
  [
    'Python',
    `import requests\nrequests.post("https://shop.test/login", json={"email": "a@b.test", "password": "x"})`,
    'python',
  ],
  [
    'Python with names',
    `BASE = "https://shop.test"  # the server\npayload = json.dumps({\n  'email': EMAIL,\n  'password': os.environ["PW"],\n})\nr = requests.request("POST", f"{BASE}/login", headers=headers, data=payload)`,
    'python',
  ],
];

describe('a log-in is found in', () => {
  it.for(texts)('%s', async ([, text, format = 'curl']) => {
    const { draft, address, ...finding } = await found(text);
    expect(draft.calls.login).toMatchObject(login);
    expect({ address, format: finding.format, encoding: draft.encoding }).toEqual({
      address: 'https://shop.test',
      format,
      encoding: 'json',
    });
    expect(JSON.stringify(finding)).not.toContain('S3cret');
  });
});

describe('a session is found in', () => {
  const bearer = { type: 'http', scheme: 'Bearer' };
  const cookie = { type: 'apiKey', in: 'cookie', name: 'session' };
  it.for([
    ['a fence after another', `${fence(bash)}\nThen:\n${fence(me)}`, bearer],
    [
      'a token of the command before',
      `T=$(${bash} | jq -r .token)\ncurl https://shop.test/me -H "Authorization: Bearer $T"`,
      bearer,
    ],
    [
      'a command within',
      `curl https://shop.test/me -H "Authorization: Token $(${bash} | jq -r .data.token)"`,
      { ...bearer, scheme: 'Token' },
    ],
    ['backquotes within', `curl https://shop.test/me -H "Authorization: Bearer \`${bash}\`"`, bearer],
    ['a jar', `curl -c jar.txt https://shop.test/login -d '${json}'; curl -b jar.txt https://shop.test/me`, cookie],
    ['a jar of one letter', `curl -cj https://shop.test/login -d '${json}'\ncurl -bj https://shop.test/me`, cookie],
    ['a jar alone', `curl --cookie-jar /tmp/c https://shop.test/login -d '${json}'`, cookie],
    [
      'a jar, and its name in another command',
      `curl -c jar https://shop.test/login -d '${json}'\ncurl -b jar https://shop.test/x\ncurl https://shop.test/me -b 'my_sess=1'`,
      { ...cookie, name: 'my_sess' },
    ],
    [
      'a session of HTTPie',
      'http --session=a https://shop.test/login email=a@b.test password=x\nhttp --session=a https://shop.test/me',
      cookie,
    ],
    [
      'a session of PowerShell',
      `irm https://shop.test/login -Method Post -Body '${json}' -SessionVariable s\nirm https://shop.test/me -WebSession $s`,
      cookie,
    ],
    [
      'a cookie of a browser in PowerShell',
      `$session.Cookies.Add((New-Object System.Net.Cookie("my_sid", "x9", "/", "shop.test")))\nInvoke-WebRequest -Uri "https://shop.test/login" -Method POST -WebSession $session -Body '${json}'`,
      { ...cookie, name: 'my_sid' },
    ],
    [
      'an answer of a message',
      `POST /login HTTP/1.1\nHost: shop.test\n\n${json}\n\nHTTP/1.1 204 No Content\nSet-Cookie: my_sid=x9\n\nGET /me HTTP/1.1\nHost: shop.test\n`,
      { ...cookie, name: 'my_sid' },
    ],
    [
      'a program',
      `const { data } = await axios.post('https://shop.test/login', { email, password });\nawait axios.get('https://shop.test/me', { headers: { Authorization: 'Bearer ' + data.token } });`,
      bearer,
    ],
    [
      'Python',
      `t = requests.post("https://shop.test/login", json={"email": e, "password": p}).json()["t"]\nrequests.get("https://shop.test/me", headers={"Authorization": f"JWT {t}"})`,
      { ...bearer, scheme: 'JWT' },
    ],
    [
      'PowerShell',
      `$r = irm https://shop.test/login -Method Post -Body '${json}'\n$h = @{ Authorization = "Bearer $($r.token)" }\nirm https://shop.test/me -Headers $h`,
      bearer,
    ],
    [
      'HTTPie',
      'http https://shop.test/login email=a@b.test password=x\nhttp https://shop.test/me Authorization:"Bearer $T"',
      bearer,
    ],
    [
      'a file of requests',
      `@token = {{login.response.body.token}}\nPOST https://shop.test/login\n\n${json}\n\n###\nGET https://shop.test/me\nAuthorization: Bearer {{token}}`,
      bearer,
    ],
  ] as const)('%s', async ([, text, security]) => {
    const { draft } = await found(text);
    expect(draft).toMatchObject({ security, calls: { login } });
    const profile = draft.calls.profile ?? { method: 'GET', path: '/me' };
    expect(profile).toEqual({ method: 'GET', path: '/me' });
    expect(readDescription(JSON.stringify({ ...draft, calls: { ...draft.calls, profile } }))).toMatchObject({
      ok: true,
    });
  });

  it.for([
    [
      'a message',
      `POST https://shop.test/login\n\n${json}\n\nHTTP/1.1 200 OK\n\n{"data":{"token":"eyJhbGciOiJub25lIn0.e30.x"}}`,
    ],
    ['a fence', `${fence(bash)}\nAnswers:\n${fence('{"data":{"token":"eyJhbGciOiJub25lIn0.e30.x"}}', 'json')}`],
    ['the next line', `${bash}\n{"data":{"token":"eyJhbGciOiJub25lIn0.e30.x"}}`],
  ])('and where the token is by %s', async ([, text]) => {
    expect((await found(text!)).draft.outputs).toEqual({ token: '$response.body#/data/token' });
  });
});

describe('what is not read is said', () => {
  it.for([
    ['a file', `curl https://shop.test/login -d @login.json`, [{ kind: 'file', detail: 'login.json' }]],
    ['a file, but not where curl sends its name', `curl https://shop.test/login --data-raw @login.json`, []],
    [
      'a file of a form',
      `http -f https://shop.test/login a@me.png email=a@b.test password=x`,
      [{ kind: 'file', detail: 'me.png' }],
    ],
    [
      'a command',
      `curl https://shop.test/login -H "X-Key: $(cat key)" -d '${json}'`,
      [{ kind: 'substitution', detail: 'cat' }],
    ],
    [
      'a rule',
      `curl https://shop.test/login -H "X-Key: \${K%x}" -d '${json}'`,
      [{ kind: 'substitution', detail: 'K' }],
    ],
    ['quotation marks', `curl “https://shop.test/login” -d ‘${json}’`, [{ kind: 'quotes' }]],
    ['a command without an end', `curl 'https://shop.test/x\n\n${fence(bash)}`, [{ kind: 'broken', detail: '1' }]],
    [
      'a part in Ruby',
      `${fence(bash)}\n${fence("require 'net/http'\nNet::HTTP.post(uri, x)", 'ruby')}`,
      [{ kind: 'unread-format', detail: 'Ruby' }],
    ],
  ] as const)('%s', async ([, text, notes]) => {
    const finding = await found(text);
    expect(finding.notes).toEqual(notes);
    expect(finding.draft.calls.login).toMatchObject({ method: 'POST', path: '/login' });
  });

  it.for([
    ['PHP', `<?php\n$r = Http::post('https://shop.test/login', ['email' => 'a']);`],
    ['Ruby', `require 'httparty'\nHTTParty.post("https://shop.test/login", body: { email: "a" })`],
    ['Go', `package main\nresp, err := http.Post("https://shop.test/login", "application/json", body)`],
    ['C#', `var r = await client.PostAsJsonAsync("https://shop.test/login", new { email });`],
    ['Java', `HttpRequest.newBuilder().uri(URI.create("https://shop.test/login"))`],
    ['Swift', `var request = URLRequest(url: URL(string: "https://shop.test/login")!)`],
    ['RAML', `#%RAML 1.0\ntitle: Shop`],
    ['HTML', `<!DOCTYPE html><html><form action="/login"></form></html>`],
  ] as const)('%s by its name', async ([name, text]) => {
    expect(await look(text)).toEqual({ kind: 'unread-format', name });
  });

  it.for([
    'Use curl to log in to our server.',
    'The http interface is described below.',
    'Please post your question at the forum.',
    'axios is a client.',
    'Fetch(ed) data.',
  ])('and prose is no command: %s', async (text) => {
    expect((await look(text)).kind).toMatch(/^(?:unknown-format|curl-refused|nothing-found)$/);
  });

  it('no file is opened and no command is run', async () => {
    const text = await look(
      `curl -b /etc/passwd -d @/etc/passwd "https://shop.test/login?$(cat /etc/passwd)" < /etc/passwd`,
    );
    expect(JSON.stringify(text)).not.toContain('root:');
  });
});

describe('an OpenAPI document or a collection in a fence is read', () => {
  const paths = {
    '/login': { post: { requestBody: { content: { 'application/json': { example: JSON.parse(json) } } } } },
  };
  const document = JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://shop.test' }], paths });
  it.for([
    ['alone', fence(document, 'json')],
    ['with prose', `Our interface:\n\n${fence(document)}\n\nThat's all.`],
  ])('%s', async ([, text]) => {
    expect(await found(text!)).toMatchObject({ format: 'openapi', address: 'https://shop.test' });
  });
});
