import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConnectionReport } from '../../../preload/contract/connection-report.ts';
import { api, useAppState } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import fieldClasses from '../../components/field.module.css';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';
import classes from './welcome.module.css';

/**
 * Takes the address of a server, looks whether one answers there, and leads to its form. Whoever knows better than the
 * look goes on all the same.
 */
export function OwnAccount({ activeServerId }: { activeServerId: string }) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  const [address, setAddress] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [doubt, setDoubt] = useState<ConnectionReport>();
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (attempt.failure || doubt) inputRef.current?.focus();
  }, [attempt.failure, doubt]);

  async function enter() {
    const chosen = await api.servers.chooseAddress({ address });
    return chosen.ok ? api.settings.change({ welcomed: true }) : chosen;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsMissing(address.trim() === '');
    if (address.trim() === '') {
      inputRef.current?.focus();
      return;
    }
    await attempt.run<unknown>(async () => {
      setDoubt(undefined);
      const tested = await api.servers.test({ address });
      if (!tested.ok || isServer(tested.value)) return tested.ok ? enter() : tested;
      setDoubt(tested.value);
      return tested;
    });
  }

  function error(): ReactNode {
    if (isMissing) return t('welcome.own.missing');
    if (attempt.failure) return <ErrorText error={attempt.failure.error} during="server" />;
    if (!doubt) return undefined;
    return doubt.reached ? t(`server.answered.${doubt.answered}`) : <ErrorText error={doubt.error} during="server" />;
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        ref={inputRef}
        classNames={{ root: fieldClasses.field ?? '' }}
        label={t('welcome.own.address')}
        placeholder="accounts.example.test"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={address}
        errorProps={{ component: 'div', role: 'alert' }}
        error={error()}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setIsMissing(false);
          setDoubt(undefined);
          attempt.dismiss();
        }}
      />
      <Waiting sending={attempt.sending} />
      <div className={classes.ways}>
        <Button type="submit" h={40} fullWidth aria-busy={attempt.sending}>
          {t('welcome.own.do')}
        </Button>
        {doubt && (
          <Button variant="default" h={40} fullWidth onClick={() => void attempt.run(enter)}>
            {t('welcome.own.anyway')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Says whom is waited for: the person, of whom the system asks something, or the server. */
function Waiting({ sending }: { sending: boolean }) {
  const { t } = useTexts();
  const isAsked = useAppState()?.asking === true;
  return (
    <div className={classes.waiting}>
      <output className={classes.starting}>{sending && t(isAsked ? 'app.asking' : 'app.waiting')}</output>
      {sending && !isAsked && (
        <Button variant="subtle" color="gray" size="compact-xs" onClick={() => void api.servers.cancelTest()}>
          {t('app.cancel')}
        </Button>
      )}
    </div>
  );
}

/** Whether what answered is a server of this interface, as far as one can see without an account. */
const isServer = (report: ConnectionReport): boolean =>
  report.reached && (report.answered === 'asks-for-token' || report.answered === 'profile-without-token');
