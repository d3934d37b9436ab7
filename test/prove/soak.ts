import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../main/service/stores/open-stores.ts';
import { createApi, tokenOfLogin, type ApiAnswer, type ApiPerson } from './api.ts';
import { forkService } from './run-service.ts';

const CLIENTS = 20;
const PROFILES = 20;
/** Memory is looked at from here on, since the start itself fills pools and caches and compiles code. */
const WARM_UP_MS = 5000;

type SoakSummary = {
  name: 'soak';
  engine: 'sqlite' | 'postgres';
  argon2: 'minimal';
  seconds: number;
  requests: number;
  errors: number;
  /** The resident memory of the service after a warm-up, at its most, and after the load. */
  memoryStartMB: number | null;
  memoryMostMB: number | null;
  memoryEndMB: number | null;
  findings: string[];
};

type SoakOptions = {
  engine: SoakSummary['engine'];
  database: Database;
  minutes: number;
  warmUpMs?: number;
  /** Called about every ten seconds. */
  onProgress?: (summary: SoakSummary) => void;
};

/** Holds twenty clients at a service. Each one registers, logs in, reads profiles and logs out without a pause. */
export async function proveSoak(options: SoakOptions): Promise<SoakSummary> {
  const { engine, database, minutes, warmUpMs = WARM_UP_MS, onProgress } = options;
  const summary: SoakSummary = {
    name: 'soak',
    engine,
    argon2: 'minimal',
    seconds: 0,
    requests: 0,
    errors: 0,
    memoryStartMB: null,
    memoryMostMB: null,
    memoryEndMB: null,
    findings: [],
  };
  const service = forkService(database);
  let startedAt = performance.now();
  const millisecondsLeft = (): number => startedAt + minutes * 60_000 - performance.now();
  const isOver = (): boolean => millisecondsLeft() <= 0;

  function judge(answer: ApiAnswer | undefined, wanted: number, what: string): ApiAnswer {
    summary.requests++;
    if (answer?.status === wanted) return answer;
    summary.errors++;
    const finding = `${what}: ${answer?.status ?? 'no answer'}`;
    if (summary.findings.length < 10) summary.findings.push(finding);
    throw new Error(finding);
  }

  async function journeys(baseUrl: string, client: number): Promise<void> {
    const api = createApi(baseUrl);
    for (let n = 0; !isOver(); n++) {
      const person: ApiPerson = {
        name: `Client ${client}`,
        email: `${client}.${n}@example.test`,
        password: `secret ${n} here`,
      };
      try {
        judge(await api.register(person), 201, 'registration');
        const token = tokenOfLogin(judge(await api.login(person), 200, 'login').body);
        for (let profile = 0; profile < PROFILES; profile++) judge(await api.profile(token), 200, 'profile');
        judge(await api.logout(token), 200, 'logout');
        judge(await api.profile(token), 401, 'profile after the logout');
      } catch {
        // The failure was counted, and the next journey begins.
      }
    }
  }

  const memory = (): number | null => {
    const bytes = service.memoryBytes();
    return bytes === undefined ? null : Math.round(bytes / 1e6);
  };

  async function watchMemory(): Promise<void> {
    await delay(Math.min(warmUpMs, millisecondsLeft()));
    summary.memoryStartMB = memory();
    while (!isOver()) {
      summary.memoryMostMB = Math.max(summary.memoryMostMB ?? 0, memory() ?? 0) || null;
      summary.seconds = Math.round((performance.now() - startedAt) / 1000);
      onProgress?.(summary);
      await delay(Math.max(0, Math.min(10_000, millisecondsLeft())));
    }
  }

  try {
    const baseUrl = await service.ready();
    // The load is held for its time, however long the service took to start.
    startedAt = performance.now();
    await Promise.all([watchMemory(), ...Array.from({ length: CLIENTS }, (_, client) => journeys(baseUrl, client))]);
    summary.memoryEndMB = memory();
    summary.seconds = Math.round((performance.now() - startedAt) / 1000);
  } finally {
    await service.stop();
  }
  return summary;
}
