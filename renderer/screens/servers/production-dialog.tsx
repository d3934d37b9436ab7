import { useSyncExternalStore } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import { whenOpened } from '../../components/when-opened.tsx';
import { productionQuestion } from '../../production-question.ts';

const HostQuestion = whenOpened(() => import('./host-question.tsx').then((loaded) => loaded.HostQuestion));

/** Asks for the host of a production server while a call waits for it. */
export function ProductionDialog({ state }: { state: AppState }) {
  const question = useSyncExternalStore(
    productionQuestion.subscribe,
    productionQuestion.current,
    productionQuestion.current,
  );
  return question && <HostQuestion key={`${question.serverId} ${question.host}`} state={state} question={question} />;
}
