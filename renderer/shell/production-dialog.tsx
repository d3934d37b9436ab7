import { useEffect } from 'react';
import { lazyComponent } from '../components/lazy-component.tsx';
import { useRoute } from '../route.ts';
import { productionQuestion } from '../production-question.ts';
import { useStore } from '../store.ts';
import { useApp } from '../api.ts';

const HostQuestion = lazyComponent(() => import('./host-question.tsx').then((loaded) => loaded.HostQuestion));

/** Asks for the host of a production server while a call waits for it. Navigating away cancels. */
export function ProductionDialog() {
  const state = useApp();
  const question = useStore(productionQuestion);
  const { page } = useRoute();
  const shown = state.session.step === 'signed-out' ? undefined : state.session.sessionId;
  return (
    <>
      <Leaving key={JSON.stringify([page, state.activeServerId, shown])} />
      {question && <HostQuestion key={`${question.serverId} ${question.host}`} question={question} />}
    </>
  );
}

function Leaving() {
  useEffect(() => () => productionQuestion.answer('cancelled'), []);
  return null;
}
