import type { AppState, Server } from '../../preload/contract/models.ts';
import { api, useApp, useActiveServer } from '../api.ts';
import { useAction } from '../use-action.ts';
import { ErrorMessage } from './error-message.tsx';
import linkClasses from './link-button.module.css';
import { t } from '../i18n.ts';

const stopped: ReadonlySet<string> = new Set(['stopped', 'failed']);

/** Whether a server of this computer is there and does not run. Llavero cannot start any other. */
const isStopped = ({ builtIn }: AppState, { builtIn: isBuiltIn, double }: Server): boolean =>
  stopped.has(double?.run.state ?? (isBuiltIn ? builtIn.state : 'elsewhere'));

/** Lets a person start the server in use from its form, where it runs on this computer and is stopped. */
export function useStartServer(onStarted: () => void) {
  const state = useApp();
  const { run, pending, failure } = useAction();
  const server = useActiveServer();
  async function start(): Promise<void> {
    const result = await run(() => (server.double ? api.doubles.start({ id: server.id }) : api.builtIn.start()));
    if (result?.ok) onStarted();
  }
  return {
    wrong: failure && <ErrorMessage error={failure.error} during="server" />,
    /** It is undefined where there is nothing to start. */
    offer: pending || isStopped(state, server) ? { pending, start } : undefined,
  };
}

/** Says that the server does not run, and starts it. It stands in a line that is there anyway. */
export function StartServer({ pending, start }: { pending: boolean; start: () => Promise<void> }) {
  return (
    <>
      <span>({t(pending ? 'server.starting' : 'server.notRunning')})</span>
      <button type="button" className={linkClasses.link} aria-busy={pending} onClick={() => void start()}>
        {t('doubles.start')}
      </button>
    </>
  );
}
