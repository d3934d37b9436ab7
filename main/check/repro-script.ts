import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { TestAccount } from './test-accounts.ts';
import { isAccepted, readSentFields, type Observation } from './observation.ts';
import type { TestRequestOptions } from './test-request.ts';
import { captureAnswer, ShellScriptWriter } from './shell-script-writer.ts';
import { tamperInShell, createShellValues } from './shell-values.ts';

/** Comments of the script, in English; reports translate them. */
const remark = createReportFormatter('en').texts('script');

/** From this number on, equal requests are one request in a loop. */
const minLoopRequests = 3;
/** A longer script is not written: the evidence shows the requests. */
const maxSteps = 12;

type Step = { observation: Observation; times: number; isParallel: boolean };

function sentField(observation: Observation, field: 'email' | 'password'): string | undefined {
  const sent = readSentFields(observation)?.get(field);
  return typeof sent === 'string' ? sent : undefined;
}

function emailOf(observation: Observation): string | undefined {
  const email = observation.sent?.account?.fields['email'];
  return typeof email === 'string' ? email : sentField(observation, 'email');
}

const isRegistration = ({ operation }: Observation): boolean => operation === 'registro' || operation === 'register';
const normalizeEmail = (email: string | undefined): string | undefined => email?.trim().toLowerCase();

/**
 * Creates a script for a POSIX shell that reproduces a finding, with the requests that it depends on, such as the
 * registration and the login. It prints the status of each request, below the one that the check got. Passwords are
 * placeholders, tokens are taken from the responses, and emails are new each time, so the script holds no secret.
 * @param proving the requests that prove the finding, in their order
 * @param observations all requests of the check, in their order
 * @param about.isAboutTokens whether the script prints the token of each of those requests, since the tokens prove it
 * @returns an empty text if curl cannot send one of them, or if there are too many
 */
export function createReproScript(
  proving: readonly Observation[],
  observations: readonly Observation[],
  { adapter, given, isAboutTokens }: { adapter: ApiAdapter; given: TestAccount | undefined; isAboutTokens: boolean },
): string {
  const groupKey = createGrouping(observations);
  const shown = limitToOneAccount(proving, groupKey);
  const values = createShellValues(given);
  const calls = new ShellScriptWriter(adapter, values);
  const all = withPrerequisites(shown, observations, calls);
  const steps = createSteps(all, shown, groupKey);
  if (steps.length === 0 || steps.length > maxSteps || steps.some(hasChallenge)) return '';
  const written: string[] = [];
  for (const [index, step] of steps.entries()) {
    const lines = writeStep(step, observations, { calls, values, all, printed: isAboutTokens ? shown : [] });
    if (!lines) return '';
    const isInBatch = (other: Step | undefined) => other?.observation.batch === step.observation.batch;
    const isFirst = step.isParallel && !isInBatch(steps[index - 1]);
    written.push('', ...(isFirst ? [`# ${remark('time')}`] : []), ...lines);
    if (step.isParallel && !isInBatch(steps[index + 1])) written.push('wait');
  }
  const head = leavesAccounts(steps) ? [`# ${remark('accountsStay')}`] : [];
  return [...head, ...values.lines(adapter.baseUrl), ...calls.account.lines(), ...written].join('\n');
}

/** Whether a script creates an account that it does not delete. */
function leavesAccounts(steps: readonly Step[]): boolean {
  const accepted = steps.flatMap(({ observation }) => (isAccepted(observation) ? [observation] : []));
  const deleted = new Set(accepted.filter(({ sent }) => sent?.account?.call === 'deleteAccount').map(emailOf));
  return accepted.some((each) => isRegistration(each) && !deleted.has(emailOf(each)));
}

const sendsRecoveryCode = ({ sent }: Observation): boolean => 'isRecovery' in (sent?.account?.code ?? {});

/** A challenge adds to what a pending login has, which a script cannot tell apart. */
const hasChallenge = ({ observation }: Step): boolean =>
  /^(?:challenge\.|enrollment\.challenge$)/.test(observation.sent?.account?.call ?? '');

/** The requests and those that they depend on, in the order in which they were sent. */
function withPrerequisites(
  proving: readonly Observation[],
  observations: readonly Observation[],
  calls: ShellScriptWriter,
): Observation[] {
  const needed = new Set<Observation>();
  function add(observation: Observation): void {
    if (needed.has(observation)) return;
    needed.add(observation);
    const before = observations.slice(0, observations.indexOf(observation));
    const email = emailOf(observation);
    const findRegistration = (isSame: (other: Observation) => boolean): Observation | undefined =>
      before.find((other) => isRegistration(other) && isAccepted(other) && isSame(other));
    if (email !== undefined) {
      // An email that was registered twice may have two passwords.
      const account =
        findRegistration(
          (other) => emailOf(other) === email && sentField(other, 'password') === sentField(observation, 'password'),
        ) ??
        findRegistration((other) => emailOf(other) === email) ??
        findRegistration((other) => normalizeEmail(emailOf(other)) === normalizeEmail(email));
      if (account) add(account);
    }
    const { code } = observation.sent?.account ?? {};
    for (const each of new Set([email, code?.email]))
      if (each !== undefined) findAccountChanges(each, before).forEach(add);
    const { pending } = observation.sent ?? {};
    const asked = pending && before.findLast((other) => other.pending === pending);
    if (asked) add(asked);
    const issuer = findTokenIssuer(observation, before);
    if (!issuer) return;
    add(issuer.observation);
    const isOfSession = ({ sent }: Observation): boolean => sent?.token === observation.sent?.token;
    const profile =
      calls.valueFromProfile(observation) !== undefined &&
      before.findLast((other) => other.operation === 'profile' && isAccepted(other) && isOfSession(other));
    if (profile) add(profile);
    for (const end of findTokenEnds(issuer, observation, before)) add(end);
  }
  proving.forEach(add);
  return observations.filter((observation) => needed.has(observation));
}

/** What changed an account before: its second factor and its password, without which a login would be another one. */
const findAccountChanges = (email: string, before: readonly Observation[]): Observation[] =>
  before.filter((other) => {
    const { call } = other.sent?.account ?? {};
    const isChange = call === 'changePassword' || call?.startsWith('enrollment.');
    return isChange && isAccepted(other) && emailOf(other) === email;
  });

/** The token of the session that a response began. */
const issuedToken = ({ reading, session }: Observation): string | undefined => reading.summary.token ?? session;

type TokenIssuer = { observation: Observation; token: string; tampered?: string };

/** The response that issued the token of a request, or the token that it was tampered from. */
function findTokenIssuer(observation: Observation, before: readonly Observation[]): TokenIssuer | undefined {
  const { token } = observation.sent ?? {};
  if (token === undefined) return undefined;
  const issuers = before.flatMap((other) => {
    const given = issuedToken(other);
    return given === undefined ? [] : [{ observation: other, token: given }];
  });
  const same = issuers.findLast((each) => each.token === token);
  if (same) return same;
  return issuers
    .toReversed()
    .flatMap((each) => {
      const tampered = tamperInShell('TOKEN', each.token, token);
      return tampered === undefined ? [] : [{ ...each, tampered: token }];
    })
    .at(0);
}

/** What ended a token before a request: its logout or, if it was refused without one, the next login. */
function findTokenEnds(
  { observation: issuer, token, tampered }: TokenIssuer,
  observation: Observation,
  before: readonly Observation[],
): Observation[] {
  if (tampered !== undefined) return [];
  const later = before.slice(before.indexOf(issuer) + 1).filter(isAccepted);
  const logouts = later.filter((each) => each.operation === 'logout' && each.sent?.token === token);
  if (logouts.length > 0 || observation.handling !== 'refused') return logouts.slice(0, 1);
  return later.filter((each) => each.operation === 'login' && emailOf(each) === emailOf(issuer)).slice(0, 1);
}

/** The token of a request, if no response issued it. */
const unissuedToken = (observation: Observation, observations: readonly Observation[]): string | undefined => {
  const { token } = observation.sent ?? {};
  return observations.some((other) => issuedToken(other) === token) ? undefined : token;
};

type GroupKey = (observation: Observation) => string;

/** The key by which requests that show the same are grouped. */
function createGrouping(observations: readonly Observation[]): GroupKey {
  const known = new Set(observations.filter((each) => isRegistration(each) && isAccepted(each)).map(emailOf));
  return (observation) =>
    JSON.stringify([
      observation.operation,
      observation.status,
      observation.call?.request.secretsInUrl ? observation.operation : observation.call?.request.url,
      known.has(emailOf(observation)),
      isRegistration(observation) && observation.call?.id,
      unissuedToken(observation, observations),
      observation.sent?.account
        ? accountKey(observation.sent.account)
        : observation.call?.request.body?.replaceAll(/[0-9a-f]{16}|(?<="password":")[^"]+/g, ''),
    ]);
}

/** Wrong codes are equal, and right ones are not. */
const accountKey = ({ call, fields, code }: NonNullable<TestRequestOptions['account']>): unknown[] => [
  call,
  Object.keys(fields),
  code ? fields['code'] : typeof fields['code'],
];

/** Where one account has a loop, the same requests for other accounts are left out, since each has its own limit. */
function limitToOneAccount(proving: readonly Observation[], groupKey: GroupKey): Observation[] {
  const groups = [...Map.groupBy(proving, groupKey).values()].map((group) => {
    const [most = []] = [...Map.groupBy(group, emailOf).values()].toSorted((a, b) => b.length - a.length);
    return most.length >= minLoopRequests ? most : group;
  });
  const kept = new Set(groups.flat());
  return proving.filter((each) => kept.has(each));
}

/** Equal requests become one step. */
function createSteps(all: readonly Observation[], proving: readonly Observation[], groupKey: GroupKey): Step[] {
  const counts = Map.groupBy(
    all.filter((observation) => proving.includes(observation)),
    groupKey,
  );
  return all.flatMap((observation): Step[] => {
    const group = counts.get(groupKey(observation)) ?? [];
    const isLoop = proving.includes(observation) && group.length >= minLoopRequests;
    if (isLoop && group[0] !== observation) return [];
    const isParallel =
      observation.batch !== undefined &&
      all.some((other) => other !== observation && other.batch === observation.batch);
    return [{ observation, times: isLoop ? group.length : 1, isParallel }];
  });
}

const curlForStatus = `curl --silent --output /dev/null --write-out '%{http_code} %{time_starttransfer}\\n'`;

type Context = {
  calls: ShellScriptWriter;
  values: ReturnType<typeof createShellValues>;
  all: readonly Observation[];
  /** The requests whose tokens the script prints. */
  printed: readonly Observation[];
};

/** The prefix of variables without a session, such as the CSRF cookie. */
const anonymousPrefix = 'VISITOR';

function writeStep(
  { observation, times, isParallel }: Step,
  observations: readonly Observation[],
  { calls, values, all, printed }: Context,
): string[] | undefined {
  const issuerFor = (each: Observation): TokenIssuer | undefined =>
    findTokenIssuer(each, observations.slice(0, observations.indexOf(each)));
  const issuer = issuerFor(observation);
  const codeLines = calls.account.codeLines(observation);
  const given = issuedToken(observation);
  const isNeededLater = given !== undefined && all.some((other) => issuerFor(other)?.observation === observation);
  const session = issuer && {
    name: values.tokenVariable(issuer.token),
    token: issuer.token,
    tampered: issuer.tampered,
  };
  const isPrinted = given !== undefined && printed.includes(observation);
  const own = isNeededLater || isPrinted ? values.tokenVariable(given) : undefined;
  const prefix = session?.name ?? own ?? anonymousPrefix;
  const command = calls.createCommand(observation, session, prefix);
  if (!command) return undefined;
  const statusLine =
    observation.status === 0
      ? `# ${remark('unanswered')}`
      : `# → ${observation.status}${times > 1 ? ` × ${times}` : ''}`;
  const isLimited = observation.handling === 'throttled' || times >= minLoopRequests;
  const remarks = [
    ...codeLines,
    ...calls.csrfRequestLines(observation, session, prefix),
    statusLine,
    ...(isLimited ? [`# ${remark('limit')}`] : []),
  ];
  // The bodies of parallel requests could be mixed.
  if (isParallel) {
    const brief = command(curlForStatus, '');
    return [...remarks, ...brief.slice(0, -1), `${brief.at(-1) ?? ''} &`];
  }
  if (own !== undefined && isPrinted) {
    const printing = (indent: string): string[] => [
      ...captureAnswer(command('curl --silent --show-error --include', indent)),
      ...calls.printTokenLines(observation, own),
    ];
    if (times === 1) return [...remarks, ...printing('')];
    return [...remarks, `for _ in $(seq ${times}); do`, ...printing('  ').map((line) => `  ${line}`), 'done'];
  }
  if (times > 1) {
    const timed = command(curlForStatus, '  ');
    return [...remarks, `for _ in $(seq ${times}); do`, ...timed.map((line) => `  ${line}`), 'done'];
  }
  const lines = command('curl --silent --show-error --include', '');
  const pending = all.some(({ sent }) => sent?.pending && sent.pending === observation.pending) && observation.pending;
  const later = all
    .slice(all.indexOf(observation) + 1)
    .filter((other) => issuer && issuerFor(other)?.observation === issuer.observation);
  const kept = [
    ...(session && later.length > 0 && session.tampered === undefined
      ? calls.refreshLines(observation, session.name, later)
      : []),
    ...(own === undefined ? [] : calls.credentialLines(observation, own)),
    ...(pending ? calls.account.pendingLines(pending) : []),
    ...calls.account.factorLines(observation, all.some(sendsRecoveryCode)),
  ];
  if (kept.length === 0) return [...remarks, ...lines.slice(0, -1), `${lines.at(-1) ?? ''}; echo`];
  return [...remarks, ...captureAnswer(lines), `printf '%s\\n' "$answer"`, ...kept];
}
