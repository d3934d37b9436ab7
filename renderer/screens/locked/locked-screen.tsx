import { Button, Stack, Text } from '@mantine/core';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LockedState } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import classes from '../../app.module.css';
import { ErrorMessage } from '../../components/error-message.tsx';
import { FileSentence } from '../../components/file-sentence.tsx';
import { Message } from '../../components/message.tsx';
import { Card } from '../../components/form-card.tsx';
import { KeyRingLogo } from '../../components/icons.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { SettingsMenu } from '../../components/settings-menu.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { useLanguage } from '../../use-language.ts';

/** Shows all there is while the application is locked: nothing of accounts, servers or sessions. */
export function LockedScreen({ state }: { state: LockedState }) {
  const { t } = useTranslation();
  useLanguage(state.language);
  // The colour around the window would tell which server is used.
  useLayoutEffect(() => {
    delete document.documentElement.dataset['serverColour'];
  }, []);
  return (
    <>
      <header className={classes.header}>
        <div className={classes.title}>
          <span className={classes.brand}>
            <KeyRingLogo />
            {t('app.name')}
          </span>
        </div>
        <SettingsMenu settings={state.settings} />
      </header>
      <main className={classes.main}>
        <div className={classes.screen}>
          <Unlock state={state} />
        </div>
        <div className={classes.news}>
          {state.files.map((notice) => (
            <Message key={JSON.stringify(notice)} tone="warning" announce="status">
              <FileSentence notice={notice} />
            </Message>
          ))}
        </div>
      </main>
    </>
  );
}

function Unlock({ state }: { state: LockedState }) {
  const { t } = useTranslation();
  const { pin, cause, triesLeft } = state;
  const attempt = useAttempt('');
  const [typed, setTyped] = useState('');
  const [visible, setVisible] = useState(false);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);

  useEffect(() => (inputRef.current ?? buttonRef.current)?.focus(), []);
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = typed;
    setTyped('');
    await attempt.run(() => api.lock.unlock({ pin: pin ? given : undefined }));
  }

  return (
    <Card title={t('lock.title')} headingRef={headingRef}>
      <Text size="sm">{t(`lock.cause.${cause}`)}</Text>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {pin && (
            <SecretInput
              ref={inputRef}
              label={t('lock.pin')}
              // After a wrong PIN the message below says so. The line is held.
              description={attempt.failure ? '\u00A0' : t('lock.tries', { number: triesLeft })}
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              visible={visible}
              onToggle={() => setVisible((shown) => !shown)}
            />
          )}
          <Button type="submit" fullWidth aria-busy={attempt.sending} ref={buttonRef}>
            {t('lock.unlock')}
          </Button>
        </Stack>
      </form>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
    </Card>
  );
}
