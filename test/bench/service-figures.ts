import path from 'node:path';
import { z } from 'zod';
import { figure, type Measure } from './figures.ts';
import { startPeer, type Peer } from './peers/start-peer.ts';
import { rateOf } from './rate.ts';
import { person, post, profileHeaders, PROFILE_PATH, signInTo } from './requests.ts';

/** Makes a session of better-auth, and returns the cookie that its own sign-up sets. */
async function signUpToBetterAuth(baseUrl: string): Promise<string> {
  const answer = await post(`${baseUrl}/api/auth/sign-up/email`, person, { origin: baseUrl });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

type Contestant = { peer: Peer; url: string; headers: Record<string, string>; rates: number[]; costs: number[] };

/**
 * Returns the answer to the request for a profile.
 * @throws Error unless the profile is answered, so that nobody's errors are raced
 */
async function profileOf({ url, headers }: Pick<Contestant, 'url' | 'headers'>): Promise<Record<string, unknown>> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok || !text.includes(person.email)) throw new Error(`${url} was answered ${response.status}: ${text}`);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

/** Measures profile requests a second, beside a Fastify that does nothing and better-auth's session endpoint. */
export const measureRates: Measure = async ({ runs, seconds, folder, say }) => {
  const contestants: Contestant[] = [];
  const enter = (peer: Peer, url: string, headers: Record<string, string>): Contestant => {
    const contestant = { peer, url: peer.baseUrl + url, headers, rates: [], costs: [] };
    contestants.push(contestant);
    return contestant;
  };
  try {
    const service = await startPeer('service', { file: path.join(folder, 'rates.sqlite') });
    const ours = enter(service, PROFILE_PATH, profileHeaders(await signInTo(service.baseUrl)));
    const answer = await profileOf(ours);
    const constant = enter(await startPeer('constant', { path: PROFILE_PATH, answer }), PROFILE_PATH, ours.headers);
    const peer = await startPeer('better-auth', { file: path.join(folder, 'better-auth.sqlite') });
    const betterAuth = enter(peer, '/api/auth/get-session', { cookie: await signUpToBetterAuth(peer.baseUrl) });

    // V8 compiles what is measured.
    for (const each of contestants)
      await profileOf(each).then(() => rateOf(each.url, each.headers, Math.min(seconds, 2)));
    for (let run = 0; run < runs; run++) {
      for (const { peer, url, headers, rates, costs } of contestants) {
        const before = await peer.cpuMicroseconds();
        const rate = await rateOf(url, headers, seconds);
        rates.push(rate.perSecond);
        costs.push(((await peer.cpuMicroseconds()) - before) / rate.answers);
      }
      const said = contestants.map(({ rates }) => rates.at(-1)?.toFixed(0)).join(', ');
      say(`profiles a second, run ${run + 1} of ${runs}: ours, constant, better-auth: ${said}`);
    }
    return [
      figure('profiles beside a constant response', 'requests/s', ours.rates, constant.rates),
      figure('profiles beside better-auth', 'requests/s', ours.rates, betterAuth.rates),
      // Unlike a rate, the processor time for one answer hardly changes when others use the machine.
      figure('processor for a profile, beside a constant response', 'µs', ours.costs, constant.costs),
      figure('processor for a profile, beside better-auth', 'µs', ours.costs, betterAuth.costs),
    ];
  } finally {
    await Promise.all(contestants.map(({ peer }) => peer.close()));
  }
};
