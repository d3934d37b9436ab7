import path from 'node:path';
import { z } from 'zod';
import type { Measure } from './context.ts';
import { figure, type Figure } from './figures.ts';
import { sendSteadily, type Sent } from './open-loop.ts';
import { startPeer, type Peer } from './peers/start-peer.ts';
import { rateOf } from './rate.ts';
import { loginRequest, person, post, profileHeaders, profileRequest, PROFILE_PATH, signInTo } from './requests.ts';
import { seed, seededEmail, seededToken, TOKENS_PER_ACCOUNT } from './seed.ts';
import { percentile } from './statistics.ts';

const PER_SECOND = 200;
const LOGINS_PER_SECOND = 20;
/** Returns the seconds after which V8 has compiled what is measured. */
const warmUpSeconds = (seconds: number): number => Math.min(seconds, 2);

async function closeAll(peers: Peer[]): Promise<void> {
  await Promise.all(peers.map((peer) => peer.close()));
}

/** Makes a session of better-auth, and returns the cookie that its own sign-up sets. */
async function signUpToBetterAuth(baseUrl: string): Promise<string> {
  const answer = await post(`${baseUrl}/api/auth/sign-up/email`, person, { origin: baseUrl });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

/**
 * Returns the request for a profile.
 * @throws Error unless the profile is answered, so that nobody's errors are raced
 */
async function profileOf(url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok || !text.includes(person.email)) throw new Error(`${url} was answered ${response.status}: ${text}`);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Measures profile requests a second, against a Fastify that does nothing and better-auth's session endpoint. */
export const measureRates: Measure = async ({ runs, seconds, folder, say }) => {
  const peers: Peer[] = [];
  const start = async (...args: Parameters<typeof startPeer>): Promise<Peer> => {
    const peer = await startPeer(...args);
    peers.push(peer);
    return peer;
  };
  try {
    const service = await start('service', { file: path.join(folder, 'rates.sqlite'), argon2: 'default' });
    const headers = profileHeaders(await signInTo(service.baseUrl));
    const answer = await profileOf(service.baseUrl + PROFILE_PATH, headers);
    const constant = await start('constant', { path: PROFILE_PATH, answer });
    const betterAuth = await start('better-auth', { file: path.join(folder, 'better-auth.sqlite') });
    const cookie = await signUpToBetterAuth(betterAuth.baseUrl);

    const contestants = {
      profile: { peer: service, url: service.baseUrl + PROFILE_PATH, headers },
      constant: { peer: constant, url: constant.baseUrl + PROFILE_PATH, headers },
      betterAuth: { peer: betterAuth, url: `${betterAuth.baseUrl}/api/auth/get-session`, headers: { cookie } },
    };
    type Name = keyof typeof contestants;
    const rates: Record<Name, number[]> = { profile: [], constant: [], betterAuth: [] };
    /** The processor time of the server for one answer, in microseconds. */
    const costs: Record<Name, number[]> = { profile: [], constant: [], betterAuth: [] };
    const names: Name[] = ['profile', 'constant', 'betterAuth'];

    for (const name of names) {
      const { url, headers } = contestants[name];
      await profileOf(url, headers);
      await rateOf(url, headers, warmUpSeconds(seconds));
    }
    for (let run = 0; run < runs; run++) {
      for (const name of names) {
        const { peer, url, headers } = contestants[name];
        const before = await peer.cpuMicroseconds();
        const rate = await rateOf(url, headers, seconds);
        rates[name].push(rate.perSecond);
        costs[name].push(((await peer.cpuMicroseconds()) - before) / rate.answers);
      }
      say(
        `rates, run ${run + 1} of ${runs}: ${names.map((name) => `${name} ${rates[name].at(-1)?.toFixed(0)}/s`).join(', ')}`,
      );
    }
    return [
      figure('profile-rate-to-constant', 'requests/s', rates.profile, rates.constant),
      figure('profile-rate-to-better-auth', 'requests/s', rates.profile, rates.betterAuth),
      figure('constant-rate', 'requests/s', rates.constant),
      figure('better-auth-rate', 'requests/s', rates.betterAuth),
      // Unlike a rate, the processor time for one answer hardly changes when others use the machine.
      figure('profile-cpu-to-constant', 'µs', costs.profile, costs.constant),
      figure('better-auth-cpu-to-profile', 'µs', costs.betterAuth, costs.profile),
    ];
  } finally {
    await closeAll(peers);
  }
};

/** Measures the time of a profile with nothing else to do, and while people log in. */
export const measureLogins: Measure = async ({ runs, seconds, folder, say }) => {
  const peer = await startPeer('service', { file: path.join(folder, 'logins.sqlite'), argon2: 'default' });
  try {
    const { baseUrl } = peer;
    const profile = profileRequest(await signInTo(baseUrl));
    const login = loginRequest(person.email, person.password, 200);
    const profiles = (seconds: number): Promise<number[]> =>
      sendSteadily({ baseUrl, perSecond: PER_SECOND, seconds, requestAt: () => profile });
    const logins = (seconds: number): Promise<number[]> =>
      sendSteadily({ baseUrl, perSecond: LOGINS_PER_SECOND, seconds, uneven: true, requestAt: () => login });

    const warmUp = warmUpSeconds(seconds);
    await Promise.all([profiles(warmUp), logins(warmUp)]);
    const medians: number[] = [];
    const idle: number[] = [];
    const busy: number[] = [];
    const loginTimes: number[] = [];
    for (let run = 0; run < runs; run++) {
      const quiet = await profiles(seconds);
      medians.push(percentile(quiet, 0.5));
      idle.push(percentile(quiet, 0.99));
      const [during, loggedIn] = await Promise.all([profiles(seconds), logins(seconds)]);
      busy.push(percentile(during, 0.99));
      loginTimes.push(percentile(loggedIn, 0.5));
      say(
        `logins, run ${run + 1} of ${runs}: p99 ${idle.at(-1)?.toFixed(0)} µs idle, ${busy.at(-1)?.toFixed(0)} µs during`,
      );
    }
    return [
      figure('profile-p50-idle', 'µs', medians),
      figure('profile-p99-idle', 'µs', idle),
      figure('profile-p99-during-logins', 'µs', busy, idle),
      figure('login-p50', 'µs', loginTimes),
    ];
  } finally {
    await peer.close();
  }
};

/** Visits every number from 1 to `count` before one comes again, in an order that no cache could use. */
const scattered = (index: number, count: number): number => ((index * 7_368_787) % count) + 1;

/** A wrong password makes a login without its write, which would hide the lookup and is the same at every size. */
const wrongPassword = 'not the password';

type Stage = { size: number; peer: Peer; logins: number[]; profiles: number[] };

/** Measures the time of a login's lookup and of a profile as the accounts become more. */
export const measureGrowth: Measure = async ({ runs, seconds, accounts: sizes, folder, say }) => {
  const seedings: Figure[] = [];
  const stages: Stage[] = [];
  try {
    for (const size of sizes) {
      const file = path.join(folder, `accounts-${size}.sqlite`);
      const took = await seed(file, size);
      say(`growth: ${size} accounts with ${TOKENS_PER_ACCOUNT} tokens each were made in ${took.toFixed(1)} s`);
      seedings.push(figure(`seed-${size}-accounts`, 's', [took]));
      const peer = await startPeer('service', { file, argon2: 'least' });
      stages.push({ size, peer, logins: [], profiles: [] });
    }
    let sentBefore = 0;
    /** Asks all sizes in turns at the same time, so that what others do on the machine slows all of them alike. */
    const times = async (
      seconds: number,
      requestFor: (index: number, size: number) => Sent,
    ): Promise<{ stage: Stage; p99: number }[]> => {
      // Every run asks for others than the runs before.
      const from = sentBefore;
      sentBefore += Math.round(PER_SECOND * (seconds + 1));
      return Promise.all(
        stages.map(async (stage, place) => {
          const { peer, size } = stage;
          const sent = await sendSteadily({
            baseUrl: peer.baseUrl,
            perSecond: PER_SECOND,
            seconds,
            offset: place / stages.length,
            requestAt: (index) => requestFor(from + index, size),
          });
          return { stage, p99: percentile(sent, 0.99) };
        }),
      );
    };
    for (let run = -1; run < runs; run++) {
      const isWarmUp = run < 0;
      const length = isWarmUp ? warmUpSeconds(seconds) : seconds;
      const logins = await times(length, (index, size) =>
        loginRequest(seededEmail(scattered(index, size)), wrongPassword, 401),
      );
      const profiles = await times(length, (index, size) =>
        profileRequest(seededToken(scattered(index, size * TOKENS_PER_ACCOUNT))),
      );
      if (isWarmUp) continue;
      for (const { stage, p99 } of logins) stage.logins.push(p99);
      for (const { stage, p99 } of profiles) stage.profiles.push(p99);
      const shown = stages.map(
        ({ size, logins, profiles }) => `${size}: ${logins.at(-1)?.toFixed(0)}/${profiles.at(-1)?.toFixed(0)}`,
      );
      say(`growth, run ${run + 1} of ${runs}, p99 in µs of login lookup/profile: ${shown.join(', ')}`);
    }
    const [smallest] = stages;
    const compared = stages.flatMap((stage) => {
      const peer = stage === smallest ? undefined : smallest;
      return [
        figure(`login-lookup-p99-${stage.size}-accounts`, 'µs', stage.logins, peer?.logins),
        figure(`profile-p99-${stage.size}-accounts`, 'µs', stage.profiles, peer?.profiles),
      ];
    });
    return [...seedings, ...compared];
  } finally {
    await closeAll(stages.map(({ peer }) => peer));
  }
};
