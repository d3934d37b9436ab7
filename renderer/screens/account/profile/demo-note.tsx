import { Button } from '@mantine/core';
import type { AppState } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { InfoIcon } from '../../../components/icons.tsx';
import { useAction } from '../../../use-action.ts';
import classes from './account.module.css';
import { t } from '../../../i18n.ts';

/** Says whether the session on the screen is the demo person's. */
export function isDemoShown({ session, sessions }: AppState): boolean {
  return session.step !== 'signed-out' && sessions.some(({ id, isDemo }) => isDemo && id === session.sessionId);
}

interface DemoNoteProps {
  /** Whether this session is the one that a reset has begun. */
  done: boolean;
  /** Takes the session that the reset has begun: with it, this screen is replaced. */
  onReset: (sessionId: string) => void;
}

/** Says below the name of the demo person what a demo is, and resets it. */
export function DemoNote({ done, onReset }: DemoNoteProps) {
  const attempt = useAction();

  async function reset() {
    const result = await attempt.run(api.demo.reset);
    if (result?.ok) onReset(result.value.id);
  }

  return (
    <section className={classes.demo} aria-label={t('demo.mark')}>
      <InfoIcon />
      {/* What comes of the press takes the place of the sentence. */}
      <div className={classes.demoSays}>
        {!done && t('demo.says')}
        <output>{done && t('demo.done')}</output>
      </div>
      <Button
        size="xs"
        variant="default"
        title={t('demo.resetHelp')}
        aria-busy={attempt.pending}
        onClick={() => void reset()}
      >
        {t('demo.reset')}
      </Button>
      {attempt.failure && (
        <div className={classes.demoFailure}>
          <ErrorMessage error={attempt.failure.error} during="server" />
        </div>
      )}
    </section>
  );
}
