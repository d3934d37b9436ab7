import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LockedState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { moveFocus } from '../../move-focus.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import fieldClasses from '../../components/field.module.css';
import { FileSentence } from '../../components/file-sentence.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { KeyRingLogo, LockIcon } from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { Message } from '../../components/message.tsx';
import { NoticeSlot } from '../../components/alert.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { SettingsMenu } from '../../components/settings-menu.tsx';
import { lazyComponent } from '../../components/lazy-component.tsx';
import { useAction } from '../../use-action.ts';
import classes from './locked.module.css';
import { t, useLanguage } from '../../i18n.ts';

const LeaveQuestion = lazyComponent(() => import('./leave-question.tsx').then((loaded) => loaded.LeaveQuestion));

/** Shows all there is while the application is locked: nothing of accounts, servers or sessions. */
export function LockedScreen({ state }: { state: LockedState }) {
  useLanguage(state.language);
  // The colour around the window would tell which server is used.
  useLayoutEffect(() => {
    delete document.documentElement.dataset['serverColour'];
  }, []);
  return (
    <div className={classes.window}>
      <header className={classes.header}>
        <KeyRingLogo />
        <span className={classes.brand}>{t('app.name')}</span>
        <SettingsMenu settings={state.settings} />
      </header>
      <main className={classes.main}>
        <Unlock state={state} />
      </main>
      <footer className={classes.status}>{t('status.version', { version: state.version })}</footer>
    </div>
  );
}

/** Nothing is said of tries before one was wrong. */
const mostTries = 5;

function Unlock({ state }: { state: LockedState }) {
  const { pin, cause, triesLeft } = state;
  const attempt = useAction();
  const [typed, setTyped] = useState('');
  const [visible, setVisible] = useState(false);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isForgotten, setForgotten] = useState(false);

  useEffect(() => (inputRef.current ?? buttonRef.current)?.focus(), []);
  useEffect(() => {
    // A PIN that was wrong is typed again at once, and the message is read out as it comes.
    if (attempt.failure) moveFocus(inputRef.current);
  }, [attempt.failure]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = typed;
    setTyped('');
    await attempt.run(() => api.lock.unlock({ pin: pin ? given : undefined }));
  }

  return (
    <FormCard
      title={t('lock.title')}
      headingRef={headingRef}
      fields={pin ? 1 : 0}
      picture={
        <span className={classes.picture}>
          <LockIcon size={24} />
        </span>
      }
      notice={attempt.failure?.error.kind}
      under={
        pin && (
          <button type="button" className={linkClasses.link} data-size="small" onClick={() => setForgotten(true)}>
            {t('lock.forgot.button')}
          </button>
        )
      }
      after={state.files.map((notice) => (
        <Message key={JSON.stringify(notice)} tone="warning" announce="status">
          <FileSentence notice={notice} />
        </Message>
      ))}
    >
      <p className={classes.cause}>{t(`lock.cause.${cause}`)}</p>
      <form onSubmit={(event) => void submit(event)} noValidate>
        {pin && (
          <SecretInput
            ref={inputRef}
            classNames={{ root: fieldClasses.field }}
            label={t('lock.pin')}
            shows="pin"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            // The notice says it after a wrong PIN.
            description={triesLeft < mostTries && !attempt.failure && t('lock.tries', { number: triesLeft })}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            visible={visible}
            onToggle={() => setVisible((shown) => !shown)}
          />
        )}
        <Button type="submit" fullWidth h={40} fz="md" aria-busy={attempt.pending} ref={buttonRef}>
          {t('lock.unlock')}
        </Button>
        <NoticeSlot>
          {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" takesFocus={!pin} />}
        </NoticeSlot>
      </form>
      {isForgotten && <LeaveQuestion onKeep={() => setForgotten(false)} />}
    </FormCard>
  );
}
