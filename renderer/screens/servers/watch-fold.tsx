import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import type { WatchStatus } from '../../../preload/contract/watched.ts';
import { api } from '../../api.ts';
import { arriveAt } from '../../arrive.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { Fold } from '../../components/fold.tsx';
import { SecretInput } from '../../components/secret-input.tsx';
import { sayLength } from '../../say-length.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { useNow } from '../../use-now.ts';
import { sayMoment } from '../account/profile/say-moment.ts';
import { plainText } from './plain-text.ts';
import classes from './watch-fold.module.css';

const choices = [5, 15, 60, 360, 1440] as const;
const usual = 15;

/** Begins and ends the watch of a server, and says how it stands. */
export function WatchFold({ server, state }: { server: Server; state: AppState }) {
  const { t } = useTexts();
  const status = state.watches.find(({ serverId }) => serverId === server.id);
  const isOn = status !== undefined && status.state.step !== 'ended';
  return (
    <div className={classes.card}>
      <Fold
        title={t('watch.title')}
        value={isOn ? t('watch.value', { email: status.email }) : t('watch.not')}
        isOpen={status !== undefined}
      >
        <Text size="xs" c="dimmed">
          {t('watch.help')}
        </Text>
        {server.production ? (
          <Text size="sm">{t('watch.production')}</Text>
        ) : (
          <Watch key={server.id} server={server} state={state} status={status} />
        )}
      </Fold>
    </div>
  );
}

interface WatchProps {
  server: Server;
  state: AppState;
  status: WatchStatus | undefined;
}

function Watch({ server, state, status }: WatchProps) {
  const attempt = useAttempt(server.id);
  const isOn = status !== undefined && status.state.step !== 'ended';
  const buttonRef = useFocusAfter(`${isOn} ${state.settings.notifications}`);
  return (
    <>
      <div className={classes.place}>
        {isOn ? (
          <UnderWay
            status={status}
            buttonRef={buttonRef}
            onStop={() => void attempt.run(() => api.watch.stop({ serverId: server.id }))}
          />
        ) : (
          <WatchForm server={server} state={state} attempt={attempt} buttonRef={buttonRef} />
        )}
      </div>
      <output className={classes.says}>{status && <HowItStands status={status} />}</output>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
    </>
  );
}

/** Gives the focus to the button that begins or ends the watch, when what had it went away with a change. */
function useFocusAfter(change: string): RefObject<HTMLButtonElement | null> {
  const ref = useRef<HTMLButtonElement>(null);
  const last = useRef(change);
  useEffect(() => {
    if (last.current === change) return;
    last.current = change;
    if (document.activeElement === document.body) arriveAt(ref.current);
  }, [change]);
  return ref;
}

interface UnderWayProps {
  status: WatchStatus;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onStop: () => void;
}

function UnderWay({ status, buttonRef, onStop }: UnderWayProps) {
  const { t, i18n } = useTexts();
  const { state, email, changes, lastAt } = status;
  const nextAt = state.step === 'waiting' ? state.nextAt : undefined;
  const now = Math.max(useNow(momentOf(nextAt)), useNow(momentOf(lastAt)));
  const said = (iso: string) => sayMoment(new Date(iso), i18n.language, now);
  return (
    <>
      <Text size="sm">
        {nextAt === undefined ? t('watch.running', { email }) : t('watch.waiting', { email, time: said(nextAt) })}
      </Text>
      <Text size="sm">
        {lastAt === undefined ? t('watch.foundNothing') : t('watch.found', { changes, time: said(lastAt) })}
      </Text>
      <Group>
        <Button ref={buttonRef} variant="default" size="xs" onClick={onStop}>
          {t('watch.stop')}
        </Button>
      </Group>
    </>
  );
}

const momentOf = (iso: string | undefined): number | undefined => (iso === undefined ? undefined : Date.parse(iso));

/** Says why a watch has ended by itself. What it does while it goes on is no news. */
function HowItStands({ status: { state } }: { status: WatchStatus }) {
  const { t, i18n } = useTexts();
  const now = useNow(state.step === 'ended' ? Date.parse(state.at) : undefined);
  if (state.step !== 'ended') return null;
  return t(`watch.ended.${state.why}`, { time: sayMoment(new Date(state.at), i18n.language, now) });
}

interface WatchFormProps {
  server: Server;
  state: AppState;
  attempt: ReturnType<typeof useAttempt>;
  buttonRef: RefObject<HTMLButtonElement | null>;
}

function WatchForm({ server, state, attempt, buttonRef }: WatchFormProps) {
  const { t, i18n } = useTexts();
  const known = state.sessions.find(({ serverId, state: held }) => serverId === server.id && held === 'usable');
  const [email, setEmail] = useState(state.settings.presenting ? '' : (known?.account ?? ''));
  const [password, setPassword] = useState('');
  const [isVisible, setVisible] = useState(false);
  const [everyMinutes, setEvery] = useState<number>(usual);
  const isOff = !state.settings.notifications;
  const mayStart = !isOff && email.trim() !== '' && password !== '' && !attempt.sending;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!mayStart) return;
    const wanted = { serverId: server.id, email, password, everyMinutes };
    const result = await attempt.run(() => api.watch.start(wanted));
    if (result?.ok) setPassword('');
  }

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        label={t('field.email')}
        inputMode="email"
        maxLength={1000}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        {...plainText}
      />
      <SecretInput
        label={t('field.password')}
        autoComplete="off"
        maxLength={1000}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visible={isVisible}
        onToggle={() => setVisible(!isVisible)}
      />
      <NativeSelect
        label={t('watch.every')}
        data={choices.map((minutes) => ({ value: String(minutes), label: sayLength(minutes * 60, i18n.language) }))}
        value={String(everyMinutes)}
        onChange={(event) => setEvery(Number(event.currentTarget.value))}
      />
      <Group>
        <Button
          ref={buttonRef}
          type="submit"
          variant="default"
          size="xs"
          aria-busy={attempt.sending}
          aria-disabled={!mayStart}
        >
          {t('watch.start')}
        </Button>
        {isOff && (
          <>
            <Text size="sm">{t('watch.off')}</Text>
            <Button
              variant="default"
              size="xs"
              onClick={() => void attempt.run(() => api.settings.change({ notifications: true }))}
            >
              {t('watch.turnOn')}
            </Button>
          </>
        )}
      </Group>
    </form>
  );
}
