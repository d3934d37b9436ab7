import { Agent, request } from 'node:http';
import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises';

export type Sent = {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** The status that is expected. The time of an error would say nothing. */
  expects: 200 | 401;
};

/** Timers are exact to a millisecond, so what is left is waited for turn by turn, in which answers are still read. */
const SPIN_MS = 1.5;

/** What is sent in this time is not counted: connections are opened, and code of both sides is compiled. */
const LEAD_IN_SECONDS = 0.5;

async function until(due: number): Promise<void> {
  const wait = due - performance.now() - SPIN_MS;
  if (wait > 0) await after(wait);
  while (performance.now() < due) await nextTurn();
}

/**
 * Sends so many requests a second, however long the answers take. It answers the time of each in microseconds, from the
 * moment it was due to the end of its answer, so that a stall counts for all that were due meanwhile.
 * @param options.offset shifts all by this share of the interval, so that streams take turns
 * @param options.uneven moves each request within its own interval, so that two streams do not march in step
 * @param options.requestAt is asked for each request in turn, also for those before the ones that count
 * @throws Error for an answer of another status than expected
 */
export async function sendSteadily(options: {
  baseUrl: string;
  perSecond: number;
  seconds: number;
  offset?: number;
  uneven?: boolean;
  requestAt: (index: number) => Sent;
}): Promise<number[]> {
  const { baseUrl, perSecond, seconds, offset = 0, uneven = false, requestAt } = options;
  // The service ends what one client opens beyond a hundred, and two streams run at once. Who waits for a connection
  // waits in the figure, too.
  const agent = new Agent({ keepAlive: true, maxSockets: 45 });
  const { hostname, port } = new URL(baseUrl);

  const send = ({ method, path, headers, body, expects }: Sent, due: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        response.resume();
        response.once('end', () => {
          const microseconds = (performance.now() - due) * 1000;
          if (response.statusCode === expects) resolve(microseconds);
          else reject(new Error(`${method} ${path} was answered ${response.statusCode}`));
        });
        response.once('error', reject);
      });
      sent.once('error', reject);
      sent.end(body);
    });

  const leadIn = Math.round(perSecond * Math.min(seconds, LEAD_IN_SECONDS));
  const count = leadIn + Math.max(1, Math.round(perSecond * seconds));
  const startsAt = performance.now() + SPIN_MS;
  const answers: Promise<number>[] = [];
  try {
    for (let index = 0; index < count; index++) {
      // Multiples of the golden ratio fill an interval evenly, and are the same in every run.
      const shift = uneven ? (index * 0.618_034) % 1 : offset;
      const due = startsAt + ((index + shift) * 1000) / perSecond;
      await until(due);
      const answer = send(requestAt(index), due);
      // Failures are looked at below. Until then nobody else would, and Node would end.
      answer.catch(() => undefined);
      answers.push(answer);
    }
    return (await Promise.all(answers)).slice(leadIn);
  } finally {
    agent.destroy();
  }
}
