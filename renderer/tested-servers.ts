import type { ConnectionReport, Server } from '../preload/contract/models.ts';
import type { ErrorTexts } from './error-text.ts';
import { createStore, useStore } from './store.ts';
import { t } from './i18n.ts';

/** What the last tests found, by base URL and description. A server that is made of a tested address has what was found. */
const found = createStore<ReadonlyMap<string, ConnectionReport>>(new Map());

const keyOf = (baseUrl: string, digest = ''): string => `${digest} ${baseUrl}`;

/**
 * Keeps what a test found, until the application ends.
 * @param digest that of the description by which it was tested; without one it was by Llavero's own
 */
export function setTested(report: ConnectionReport, digest?: string): void {
  if (report.reached) found.set(new Map(found.current()).set(keyOf(report.baseUrl, digest), report));
}

export const useTested = (server: Server | undefined): ConnectionReport | undefined =>
  useStore(found).get(keyOf(server?.baseUrl ?? '', server?.interface.digest));

/** Whether what answered is a server of this interface, as far as one can see without an account. */
export const isServer = (report: ConnectionReport): boolean =>
  report.reached && (report.answered === 'asks-for-token' || report.answered === 'profile-without-token');

/** Says in one text why a tested address may be no server. */
export function unsureText(report: ConnectionReport, sayError: (error: Unreached['error']) => ErrorTexts) {
  if (report.reached) return t(`server.answered.${report.answered}`);
  const { says, advice } = sayError(report.error);
  return `${says} ${advice}`;
}

type Unreached = Extract<ConnectionReport, { reached: false }>;
