import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { TestAccount } from './test-accounts.ts';
import { isAccepted, readSentFields, type Observation } from './observation.ts';
import { captureAnswer, ShellScriptWriter } from './shell-script-writer.ts';
import { tamperInShell, createShellValues } from './shell-values.ts';

/** What a script says of a status that another try may not get. Reports say it in their own language. */
const remarksOf = createReportFormatter('en').texts('script');

/** From so many calls of one form on, one of them stands in a loop. */
const fewestInLoop = 3;
/** Calls that need more are told by their evidence. */
const mostSteps = 12;

type Step = { seen: Observation; times: number; isAtOnce: boolean };

function sentIn(seen: Observation, field: 'email' | 'password'): string | undefined {
  const sent = readSentFields(seen)?.get(field);
  return typeof sent === 'string' ? sent : undefined;
}

const emailOf = (seen: Observation): string | undefined => sentIn(seen, 'email');

const isRegistration = ({ operation }: Observation): boolean => operation === 'registro' || operation === 'register';
const sameAccount = (email: string | undefined): string | undefined => email?.trim().toLowerCase();

/**
 * Writes a script for a POSIX shell that sends again what a finding rests on, with all that has to come before it: the
 * registration of an account, the login that gives a token. It prints the status of each call, and above it
 * the one that was seen. It is written of values that are told apart beforehand, so that nothing has to be searched in
 * it: passwords are a person's own choice, tokens come from answers, addresses are new each time.
 * @param telling the calls that show it, in their order
 * @param everything all calls of the run, in their order
 * @param about.isAboutTokens whether the script prints the token of each of those calls, since the tokens show it
 * @returns the script, or an empty text where a command cannot say what was sent
 */
export function createReproScript(
  telling: readonly Observation[],
  everything: readonly Observation[],
  { adapter, given, isAboutTokens }: { adapter: ApiAdapter; given: TestAccount | undefined; isAboutTokens: boolean },
): string {
  const formOf = formsIn(everything);
  const shown = withoutMoreOfAForm(telling, formOf);
  const all = withWhatTheyNeed(shown, everything);
  const values = createShellValues(given);
  const calls = new ShellScriptWriter(adapter, values);
  const steps = stepsOf(all, shown, formOf);
  if (steps.length === 0 || steps.length > mostSteps) return '';
  const written: string[] = [];
  for (const [index, step] of steps.entries()) {
    const lines = linesOf(step, everything, { calls, values, all, printed: isAboutTokens ? shown : [] });
    if (!lines) return '';
    const isWith = (other: Step | undefined) => other?.seen.batch === step.seen.batch;
    const begins = step.isAtOnce && !isWith(steps[index - 1]);
    written.push('', ...(begins ? [`# ${remarksOf('time')}`] : []), ...lines);
    if (step.isAtOnce && !isWith(steps[index + 1])) written.push('wait');
  }
  return [...values.lines(adapter.baseUrl), ...written].join('\n');
}

/** The calls and those that must come before them, in the order in which they were sent. */
function withWhatTheyNeed(telling: readonly Observation[], everything: readonly Observation[]): Observation[] {
  const wanted = new Set<Observation>();
  function add(seen: Observation): void {
    if (wanted.has(seen)) return;
    wanted.add(seen);
    const before = everything.slice(0, everything.indexOf(seen));
    const email = emailOf(seen);
    const made = (isSame: (other: Observation) => boolean): Observation | undefined =>
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

type Giver = { seen: Observation; token: string; altered?: string };

/** Finds the answer that gave the token of a call, or the one that this was made of. */
function giverOf(seen: Observation, before: readonly Observation[]): Giver | undefined {
  const { token } = seen.sent ?? {};
  if (token === undefined) return undefined;
  const givers = before.flatMap((other) => {
    const given = other.reading.summary.token;
    return given === undefined ? [] : [{ seen: other, token: given }];
  });
  const same = givers.findLast((each) => each.token === token);
  if (same) return same;
  return givers
    .toReversed()
    .flatMap((each) => {
      const altered = tamperInShell('TOKEN', each.token, token);
      return altered === undefined ? [] : [{ ...each, altered: token }];
    })
    .at(0);
}

/** Returns what ended a token before a call: its logout, or, where one is refused without that, the login after it. */
function endingsOf(
  { seen: giver, token, altered }: Giver,
  seen: Observation,
  before: readonly Observation[],
): Observation[] {
  if (altered !== undefined) return [];
  const later = before.slice(before.indexOf(giver) + 1).filter(isAccepted);
  const logouts = later.filter((each) => each.operation === 'salir' && each.sent?.token === token);
  if (logouts.length > 0 || seen.handling !== 'refused') return logouts.slice(0, 1);
  return later.filter((each) => each.operation === 'login' && emailOf(each) === emailOf(giver)).slice(0, 1);
}

/** The token of a call, where no answer gave it. */
const alteredOf = (seen: Observation, everything: readonly Observation[]): string | undefined => {
  const { token } = seen.sent ?? {};
  return everything.some(({ reading }) => reading.summary.token === token) ? undefined : token;
};

type FormOf = (seen: Observation) => string;

/** Makes what tells what calls that show the same have in common. */
function formsIn(everything: readonly Observation[]): FormOf {
  const known = new Set(everything.filter((each) => isRegistration(each) && isAccepted(each)).map(emailOf));
  return (seen) =>
    JSON.stringify([
      seen.operation,
      seen.status,
      seen.call?.request.secretsInUrl ? seen.operation : seen.call?.request.url,
      known.has(emailOf(seen)),
      isRegistration(seen) && seen.call?.id,
      alteredOf(seen, everything),
      seen.call?.request.body?.replaceAll(/[0-9a-f]{16}|(?<="password":")[^"]+/g, ''),
    ]);
}

/** Leaves out what shows at other accounts what a loop at one shows: each has a limit of its own. */
function withoutMoreOfAForm(telling: readonly Observation[], formOf: FormOf): Observation[] {
  const groups = [...Map.groupBy(telling, formOf).values()].map((group) => {
    const [most = []] = [...Map.groupBy(group, emailOf).values()].toSorted((a, b) => b.length - a.length);
    return most.length >= fewestInLoop ? most : group;
  });
  const kept = new Set(groups.flat());
  return telling.filter((each) => kept.has(each));
}

/** Puts calls of one form together, and tells those that were sent at the same moment. */
function stepsOf(all: readonly Observation[], telling: readonly Observation[], formOf: FormOf): Step[] {
  const counts = Map.groupBy(
    all.filter((seen) => telling.includes(seen)),
    formOf,
  );
  return all.flatMap((seen): Step[] => {
    const group = counts.get(formOf(seen)) ?? [];
    const isLoop = telling.includes(seen) && group.length >= fewestInLoop;
    if (isLoop && group[0] !== seen) return [];
    const isAtOnce = seen.batch !== undefined && all.some((other) => other !== seen && other.batch === seen.batch);
    return [{ seen, times: isLoop ? group.length : 1, isAtOnce }];
  });
}

const briefly = `curl --silent --output /dev/null --write-out '%{http_code} %{time_starttransfer}\\n'`;

type Context = {
  calls: ShellScriptWriter;
  values: ReturnType<typeof createShellValues>;
  all: readonly Observation[];
  /** The calls whose tokens the script prints. */
  printed: readonly Observation[];
};

/** What a call without a session goes by, such as the cookie against forged requests. */
const nobody = 'VISITOR';

function linesOf(
  { seen, times, isAtOnce }: Step,
  everything: readonly Observation[],
  { calls, values, all, printed }: Context,
): string[] | undefined {
  const giverFor = (each: Observation): Giver | undefined =>
    giverOf(each, everything.slice(0, everything.indexOf(each)));
  const giver = giverFor(seen);
  const { token: given } = seen.reading.summary;
  const isAsked = given !== undefined && all.some((other) => giverFor(other)?.seen === seen);
  const session = giver && { name: values.tokenVariable(giver.token), token: giver.token, altered: giver.altered };
  const isPrinted = given !== undefined && printed.includes(seen);
  const own = isAsked || isPrinted ? values.tokenVariable(given) : undefined;
  const prefix = session?.name ?? own ?? nobody;
  const command = calls.createCommand(seen, session, prefix);
  if (!command) return undefined;
  const answered =
    seen.status === 0 ? `# ${remarksOf('unanswered')}` : `# → ${seen.status}${times > 1 ? ` × ${times}` : ''}`;
  const isLimited = seen.handling === 'throttled' || times >= fewestInLoop;
  const remarks = [
    ...calls.csrfRequestLines(seen, session, prefix),
    answered,
    ...(isLimited ? [`# ${remarksOf('limit')}`] : []),
  ];
  // Their bodies could stand between each other's lines.
  if (isAtOnce) {
    const brief = command(briefly, '');
    return [...remarks, ...brief.slice(0, -1), `${brief.at(-1) ?? ''} &`];
  }
  if (own !== undefined && isPrinted) {
    const printing = (indent: string): string[] => [
      ...captureAnswer(command('curl --silent --show-error --include', indent)),
      ...calls.printTokenLines(seen, own),
    ];
    if (times === 1) return [...remarks, ...printing('')];
    return [...remarks, `for _ in $(seq ${times}); do`, ...printing('  ').map((line) => `  ${line}`), 'done'];
  }
  if (times > 1) {
    const timed = command(briefly, '  ');
    return [...remarks, `for _ in $(seq ${times}); do`, ...timed.map((line) => `  ${line}`), 'done'];
  }
  const lines = command('curl --silent --show-error --include', '');
  const isLater = all.slice(all.indexOf(seen) + 1).some((other) => giver && giverFor(other)?.seen === giver.seen);
  const kept = [
    ...(session && isLater && session.altered === undefined ? calls.refreshLines(seen, session.name) : []),
    ...(own === undefined ? [] : calls.credentialLines(seen, own)),
  ];
  if (kept.length === 0) return [...remarks, ...lines.slice(0, -1), `${lines.at(-1) ?? ''}; echo`];
  return [...remarks, ...captureAnswer(lines), `printf '%s\\n' "$answer"`, ...kept];
}
