import type { CaseId } from '../../preload/contract/report-cases.ts';
import { reportWords } from '../../preload/contract/words/say-report.ts';
import { framing } from '../calls/commands.ts';
import { readBody } from '../client/reading/body.ts';
import { isObject } from '../client/reading/json.ts';
import type { Account } from './identities.ts';
import { isAccepted, type Seen } from './seen.ts';
import { alteredInShell, createShellValues, quoted, type Piece } from './shell-values.ts';

/** What a script says of a status that another try may not get. Reports say it in their own language. */
const { script: remarksOf } = reportWords('en').words;

/** From so many calls of one form on, one of them stands in a loop. */
const fewestInLoop = 3;
/** Calls that need more are told by their evidence. */
const mostSteps = 12;

type Step = { seen: Seen; times: number; isAtOnce: boolean };

const headerOf = ({ call }: Seen, wanted: string): string | undefined =>
  call?.request.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** The word before a token, and the token. */
const credentialsOf = (seen: Seen): [scheme: string, token: string] | undefined => {
  const [, scheme, token] = /^(\S+ )(.+)$/s.exec(headerOf(seen, 'authorization') ?? '') ?? [];
  return scheme !== undefined && token !== undefined ? [scheme, token] : undefined;
};

function sentIn({ call }: Seen, field: 'email' | 'password'): string | undefined {
  const { json } = readBody(call?.request.body ?? '');
  const sent = isObject(json) ? json.values.get(field) : undefined;
  return typeof sent === 'string' ? sent : undefined;
}

const emailOf = (seen: Seen): string | undefined => sentIn(seen, 'email');

const isRegistration = ({ operation }: Seen): boolean => operation === 'registro' || operation === 'register';
const sameAccount = (email: string | undefined): string | undefined => email?.trim().toLowerCase();

/**
 * Writes a script for a POSIX shell that sends again what a finding rests on, with all that has to come before it: the
 * registration of an account, the login that gives a token. Whoever runs it sees the status of each call, and above it
 * the one that was seen. It is written of values that are told apart beforehand, so that nothing has to be searched in
 * it: passwords are a person's own choice, tokens come from answers, addresses are new each time.
 * @param telling the calls that show it, in their order
 * @param everything all calls of the run, in their order
 * @returns the script, or an empty text where a command cannot say what was sent
 */
export function repetitionOf(
  telling: readonly Seen[],
  everything: readonly Seen[],
  { baseUrl, given, caseId }: { baseUrl: string; given: Account | undefined; caseId: CaseId },
): string {
  const formOf = formsIn(everything);
  const shown = withoutMoreOfAForm(telling, formOf);
  const all = withWhatTheyNeed(shown, everything);
  const values = createShellValues(given);
  const steps = stepsOf(all, shown, formOf, caseId);
  if (steps.length === 0 || steps.length > mostSteps) return '';
  const written: string[] = [];
  for (const step of steps) {
    const lines = linesOf(step, everything, { baseUrl, values, all });
    if (!lines) return '';
    const isGroup = step.isAtOnce && !written.at(-1)?.endsWith('&');
    written.push('', ...(isGroup ? [`# ${remarksOf.time}`] : []), ...lines);
    const next = steps[steps.indexOf(step) + 1];
    if (step.isAtOnce && !next?.isAtOnce) written.push('wait');
  }
  return [...values.lines(baseUrl), ...written].join('\n');
}

/** The calls and those that must come before them, in the order in which they were sent. */
function withWhatTheyNeed(telling: readonly Seen[], everything: readonly Seen[]): Seen[] {
  const wanted = new Set<Seen>();
  function add(seen: Seen): void {
    if (wanted.has(seen)) return;
    wanted.add(seen);
    const before = everything.slice(0, everything.indexOf(seen));
    const email = emailOf(seen);
    const made = (isSame: (other: Seen) => boolean): Seen | undefined =>
      before.find((other) => isRegistration(other) && isAccepted(other) && isSame(other));
    if (email !== undefined) {
      // An email that was registered twice has two passwords.
      const account =
        made((other) => emailOf(other) === email && sentIn(other, 'password') === sentIn(seen, 'password')) ??
        made((other) => emailOf(other) === email) ??
        made((other) => sameAccount(emailOf(other)) === sameAccount(email));
      if (account) add(account);
    }
    const giver = giverOf(seen, before);
    if (!giver) return;
    add(giver.seen);
    for (const ending of endingsOf(giver, seen, before)) add(ending);
  }
  telling.forEach(add);
  return everything.filter((seen) => wanted.has(seen));
}

type Giver = { seen: Seen; token: string; altered?: string };

/** Finds the answer that gave the token of a call, or the one that this was made of. */
function giverOf(seen: Seen, before: readonly Seen[]): Giver | undefined {
  const [, token] = credentialsOf(seen) ?? [];
  if (token === undefined) return undefined;
  const givers = before.flatMap((other) => {
    const given = other.reading.meaning.token;
    return given === undefined ? [] : [{ seen: other, token: given }];
  });
  const same = givers.findLast((each) => each.token === token);
  if (same) return same;
  return givers
    .toReversed()
    .flatMap((each) => {
      const altered = alteredInShell('TOKEN', each.token, token);
      return altered === undefined ? [] : [{ ...each, altered: token }];
    })
    .at(0);
}

/** Returns what ended a token before a call: its logout, or, where one is refused without that, the login after it. */
function endingsOf({ seen: giver, token, altered }: Giver, seen: Seen, before: readonly Seen[]): Seen[] {
  if (altered !== undefined) return [];
  const later = before.slice(before.indexOf(giver) + 1).filter(isAccepted);
  const logouts = later.filter((each) => each.operation === 'salir' && credentialsOf(each)?.[1] === token);
  if (logouts.length > 0 || seen.handling !== 'refused') return logouts.slice(0, 1);
  return later.filter((each) => each.operation === 'login' && emailOf(each) === emailOf(giver)).slice(0, 1);
}

/** The token of a call, where no answer gave it. */
const alteredOf = (seen: Seen, everything: readonly Seen[]): string | undefined => {
  const [, token] = credentialsOf(seen) ?? [];
  return everything.some(({ reading }) => reading.meaning.token === token) ? undefined : token;
};

type FormOf = (seen: Seen) => string;

/** Makes what tells what calls that show the same have in common. */
function formsIn(everything: readonly Seen[]): FormOf {
  const known = new Set(everything.filter((each) => isRegistration(each) && isAccepted(each)).map(emailOf));
  return (seen) =>
    JSON.stringify([
      seen.operation,
      seen.status,
      seen.call?.request.url,
      known.has(emailOf(seen)),
      isRegistration(seen) && seen.call?.id,
      alteredOf(seen, everything),
      seen.call?.request.body?.replaceAll(/[0-9a-f]{16}|(?<="password":")[^"]+/g, ''),
    ]);
}

/** Leaves out what shows at other accounts what a loop at one shows: each has a limit of its own. */
function withoutMoreOfAForm(telling: readonly Seen[], formOf: FormOf): Seen[] {
  const groups = [...Map.groupBy(telling, formOf).values()].map((group) => {
    const [most = []] = [...Map.groupBy(group, emailOf).values()].toSorted((a, b) => b.length - a.length);
    return most.length >= fewestInLoop ? most : group;
  });
  const kept = new Set(groups.flat());
  return telling.filter((each) => kept.has(each));
}

/** Puts calls of one form together, and tells those that were under way at the same time. */
function stepsOf(all: readonly Seen[], telling: readonly Seen[], formOf: FormOf, caseId: CaseId): Step[] {
  const counts = Map.groupBy(
    all.filter((seen) => telling.includes(seen)),
    formOf,
  );
  return all.flatMap((seen): Step[] => {
    const group = counts.get(formOf(seen)) ?? [];
    const isLoop = telling.includes(seen) && group.length >= fewestInLoop;
    if (isLoop && group[0] !== seen) return [];
    const isAtOnce = caseId.startsWith('races.') && all.some((other) => other !== seen && areAtOnce(seen, other));
    return [{ seen, times: isLoop ? group.length : 1, isAtOnce }];
  });
}

function areAtOnce({ call: one }: Seen, { call: other }: Seen): boolean {
  if (!one || !other) return false;
  const [from, since] = [Date.parse(one.startedAt), Date.parse(other.startedAt)];
  return from < since + other.timings.totalMs && since < from + one.timings.totalMs;
}

const briefly = `curl --silent --output /dev/null --write-out '%{http_code} %{time_starttransfer}\\n'`;

type Context = { baseUrl: string; values: ReturnType<typeof createShellValues>; all: readonly Seen[] };

function linesOf({ seen, times, isAtOnce }: Step, everything: readonly Seen[], context: Context): string[] | undefined {
  const { values, all } = context;
  const command = commandOf(seen, everything, context);
  if (!command) return undefined;
  const answered =
    seen.status === 0 ? `# ${remarksOf.unanswered}` : `# → ${seen.status}${times > 1 ? ` × ${times}` : ''}`;
  const isLimited = seen.handling === 'throttled' || times >= fewestInLoop;
  const remarks = [answered, ...(isLimited ? [`# ${remarksOf.limit}`] : [])];
  // Their bodies could stand between each other's lines.
  if (isAtOnce) {
    const brief = command(briefly, '');
    return [...remarks, ...brief.slice(0, -1), `${brief.at(-1) ?? ''} &`];
  }
  if (times > 1) {
    const timed = command("curl --silent --output /dev/null --write-out '%{http_code} %{time_starttransfer}\\n'", '  ');
    return [...remarks, `for _ in $(seq ${times}); do`, ...timed.map((line) => `  ${line}`), 'done'];
  }
  const lines = command('curl --silent --show-error --include', '');
  const { token } = seen.reading.meaning;
  const isAsked =
    token !== undefined &&
    all.some((other) => giverOf(other, everything.slice(0, everything.indexOf(other)))?.seen === seen);
  const last = lines.at(-1) ?? '';
  if (!isAsked) return [...remarks, ...lines.slice(0, -1), `${last}; echo`];
  const name = values.token(token);
  return [
    ...remarks,
    ...lines.map((line, at) => `${at === 0 ? 'answer=$(' : ''}${line}${at === lines.length - 1 ? ')' : ''}`),
    `printf '%s\\n' "$answer"`,
    ...takingToken(name, seen),
  ];
}

/** Takes a token out of `$answer`, which has the head and the body. What a shell cannot find a person puts in. */
function takingToken(name: string, { reading }: Seen): string[] {
  const place = reading.why.token?.path ?? '';
  const [, header] = /^headers\.([\w-]{1,60})$/.exec(place) ?? [];
  if (header !== undefined)
    return [
      `${name}=$(printf '%s\\n' "$answer" | tr -d '\\r' | sed -n 's/^${header}: *\\([Bb]earer \\)\\{0,1\\}//Ip')`,
    ];
  const [, field] = /(?:^|\.)([A-Za-z_][\w-]{0,60})$/.exec(place) ?? [];
  if (field === undefined || field === 'body') return [`: "\${${name}:?The token of this answer}"`];
  const taken = `sed -n 's/.*"${field}"[[:space:]]*:[[:space:]]*"\\([^"]*\\)".*/\\1/p'`;
  return [`${name}=$(printf '%s\\n' "$answer" | ${taken} | sed 's/^[Bb]earer //; s#\\\\/#/#g')`];
}

/** Returns what writes the command of a call, as lines, or nothing where a command cannot say it. */
function commandOf(
  seen: Seen,
  everything: readonly Seen[],
  { baseUrl, values }: Context,
): ((curl: string, indent: string) => string[]) | undefined {
  const { call } = seen;
  if (!call) return undefined;
  const { method, url, headers, body, added = [] } = call.request;
  const address: Piece[] = url.startsWith(baseUrl) ? [{ shell: '$BASE' }, url.slice(baseUrl.length)] : [url];
  const parts: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (framing.has(lower)) continue;
    const sent =
      lower === 'authorization'
        ? authorization(seen, everything, values)
        : added.includes(name)
          ? [values.header(name)]
          : [value];
    if (!sent) return undefined;
    parts.push(`--header ${quoted([`${name}: `, ...sent])}`);
  }
  if (body !== undefined) {
    const pieces = values.body(body);
    if (!pieces) return undefined;
    parts.push(`--data-raw ${quoted(pieces)}`);
  }
  if (!headers.some(([name]) => name.toLowerCase() === 'user-agent')) parts.push(`--header 'user-agent:'`);
  return (curl, indent) =>
    [
      `${curl} --globoff --request ${method} --url ${quoted(address)}`,
      ...parts.map((part) => `${indent}  ${part}`),
    ].map((line, at, lines) => (at < lines.length - 1 ? `${line} \\` : line));
}

function authorization(seen: Seen, everything: readonly Seen[], values: Context['values']): Piece[] | undefined {
  const [scheme, token] = credentialsOf(seen) ?? [];
  if (scheme === undefined || token === undefined) return undefined;
  const giver = giverOf(seen, everything.slice(0, everything.indexOf(seen)));
  // What no answer gave is ours, such as a token that is none.
  if (!giver) return [scheme, token];
  const name = values.token(giver.token);
  const altered = giver.altered === undefined ? undefined : alteredInShell(name, giver.token, giver.altered);
  return [scheme, { shell: altered ?? `$${name}` }];
}
