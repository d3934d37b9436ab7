import type { ConnectionReport, Server } from '../preload/contract/models.ts';
import type { ErrorTexts } from './error-text.ts';
import { createStore, useStore } from './store.ts';
import { t } from './i18n.ts';

/** The last reports by base URL and description. A server that is created from a tested address has its report. */
const reports = createStore<ReadonlyMap<string, ConnectionReport>>(new Map());

const keyOf = (baseUrl: string, digest = ''): string => `${digest} ${baseUrl}`;

/**
 * Stores the report of a test, until the application exits.
 * @param digest that of the tested API description; Llavero's own if absent
 */
export function setTested(report: ConnectionReport, digest?: string): void {
  if (report.reached) reports.set(new Map(reports.current()).set(keyOf(report.baseUrl, digest), report));
}

export const useTested = (server: Server | undefined): ConnectionReport | undefined =>
  useStore(reports).get(keyOf(server?.baseUrl ?? '', server?.interface.digest));

/** True if the response is that of a server of this interface, as far as can be known without an account. */
export const isServer = (report: ConnectionReport): boolean =>
  report.reached && (report.answered === 'asks-for-token' || report.answered === 'profile-without-token');

/** Returns one text that says why a tested address may be no server. */
export function unsureText(report: ConnectionReport, errorText: (error: Unreached['error']) => ErrorTexts) {
  if (report.reached) return t(`server.answered.${report.answered}`);
  const { message, advice } = errorText(report.error);
  return `${message} ${advice}`;
}

type Unreached = Extract<ConnectionReport, { reached: false }>;
