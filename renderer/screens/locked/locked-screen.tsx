import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { LockedState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { moveFocus } from '../../move-focus.ts';
import { Alert } from '../../components/alert.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import fieldClasses from '../../components/field.module.css';
import { FileSentence } from '../../components/file-sentence.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { KeyRingLogo, LockIcon } from '../../components/icons.tsx';
import linkClasses from '../../components/link-button.module.css';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { SettingsMenu } from '../../components/settings-menu.tsx';
import { useAction } from '../../use-action.ts';
import classes from './locked.module.css';
import { t, useLanguage } from '../../i18n.ts';

/** While Llavero is locked, the window contains nothing of accounts, servers or sessions. */
export function LockedScreen({ state }: { state: LockedState }) {
  useLanguage(state.language);
  // The colour around the window would reveal the active server.
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
      <main className="scroll stable unpinned">
        <Unlock state={state} />
      </main>
      <footer className={classes.status}>{t('status.version', { version: state.version })}</footer>
    </div>
  );
}

/** The number of tries before the first wrong PIN, when it is not shown. */
const mostTries = 5;

function Unlock({ state }: { state: LockedState }) {
  const { pin, cause, triesLeft } = state;
  const { run, pending, failure } = useAction();
  const [typed, setTyped] = useState('');
  const [visible, setVisible] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const [isForgotten, setForgotten] = useState(false);

  useEffect(() => (inputRef.current ?? buttonRef.current)?.focus(), []);
  useEffect(() => {
    // The field takes the focus for the next try, and the message is announced when it appears.
    if (failure) moveFocus(inputRef.current);
  }, [failure]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const pinInput = typed;
    setTyped('');
    await run(() => api.lock.unlock({ pin: pin ? pinInput : undefined }));
  }

  return (
    <FormCard
      title={t('lock.title')}
      fields={pin ? 1 : 0}
      picture={
        <span className={classes.picture}>
          <LockIcon size={24} />
        </span>
      }
      under={
        pin && (
          <button type="button" className={linkClasses.link} data-size="small" onClick={() => setForgotten(true)}>
            {t('lock.forgot.button')}
          </button>
        )
      }
      after={state.files.map((notice) => (
        <Alert key={JSON.stringify(notice)} tone="warning" title={<FileSentence notice={notice} />} />
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
            // After a wrong PIN, the error message contains it.
            description={triesLeft < mostTries && !failure && t('lock.tries', { number: triesLeft })}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            visible={visible}
            onToggle={() => setVisible((shown) => !shown)}
          />
        )}
        <div className="grid gap12">
          <Button type="submit" fullWidth h={40} fz="md" aria-busy={pending} ref={buttonRef}>
            {t('lock.unlock')}
          </Button>
          {failure && <ErrorMessage error={failure.error} during="server" takesFocus={!pin} />}
        </div>
      </form>
      {isForgotten && <LeaveDialog onClose={() => setForgotten(false)} />}
    </FormCard>
  );
}

/** Asks before the lock is left without its PIN. */
function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { run, pending, failure } = useAction();
  async function leave() {
    const result = await run(api.lock.resetForgottenPin);
    if (result?.ok) onClose();
  }
  return (
    <ConfirmDialog
      title={t('lock.forgot.title')}
      help={t('lock.forgot.help')}
      cancel={t('lock.forgot.no')}
      confirm={t('lock.forgot.yes')}
      sending={pending}
      onCancel={onClose}
      onConfirm={() => void leave()}
    >
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </ConfirmDialog>
  );
}
