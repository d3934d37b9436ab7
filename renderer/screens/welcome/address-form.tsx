import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import fieldClasses from '../../components/field.module.css';
import { navigate, type Route } from '../../route.ts';
import { isServer, setTested } from '../../tested-servers.ts';
import { type Failure, useAction } from '../../use-action.ts';
import classes from './welcome.module.css';
import { t } from '../../i18n.ts';

interface AddressFormProps {
  door: 'own' | 'test';
}

/**
 * Takes the address of a server, looks whether one answers there, and leads to its form, or to what was found. A person
 * who knows better than the look goes on all the same.
 */
export function AddressForm({ door }: AddressFormProps) {
  const attempt = useAction();
  const [address, setAddress] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [doubt, setDoubt] = useState<ConnectionReport>();
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (attempt.failure || doubt) inputRef.current?.focus();
  }, [attempt.failure, doubt]);

  async function enter(found: ConnectionReport) {
    const chosen = await api.servers.chooseAddress({ address });
    if (!chosen.ok) return chosen;
    navigate(door === 'own' ? { room: 'account' } : placeOf(found));
    return api.settings.change({ welcomed: true, ...(door === 'test' && { workbench: true }) });
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
      if (tested.ok) setTested(tested.value);
      if (!tested.ok || isServer(tested.value)) return tested.ok ? enter(tested.value) : tested;
      setDoubt(tested.value);
      return tested;
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextInput
        ref={inputRef}
        classNames={{ root: fieldClasses.field ?? '' }}
        label={t(door === 'own' ? 'welcome.address' : 'welcome.test.address')}
        placeholder="accounts.example.test"
        inputMode="url"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        value={address}
        errorProps={{ component: 'div', role: 'alert' }}
        error={isMissing ? t('welcome.missing') : wrongOf({ failure: attempt.failure, doubt, door })}
        onChange={(event) => {
          setAddress(event.currentTarget.value);
          setIsMissing(false);
          setDoubt(undefined);
          attempt.dismiss();
        }}
      />
      <Waiting sending={attempt.pending} />
      <div className="grid gap8">
        <Button
          type="submit"
          variant={door === 'own' ? 'filled' : 'default'}
          h={40}
          fullWidth
          aria-busy={attempt.pending}
        >
          {t(`welcome.${door}.do`)}
        </Button>
        {doubt && (
          <Button variant="default" h={40} fullWidth onClick={() => void attempt.run(() => enter(doubt))}>
            {t('welcome.anyway')}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Leads a tester to a new run, or to what was found if no server answered. */
const placeOf = (tested: ConnectionReport): Route =>
  isServer(tested) ? { room: 'contract', starting: true, tested } : { room: 'servers', tested };

interface Wrong {
  failure: Failure | undefined;
  doubt: ConnectionReport | undefined;
  door: AddressFormProps['door'];
}

/** Says what is in the way, and to a tester what else the server may be; undefined while nothing is. */
function wrongOf({ failure, doubt, door }: Wrong): ReactNode {
  if (failure) return <ErrorText error={failure.error} during="server" />;
  if (!doubt) return undefined;
  if (!doubt.reached) return <ErrorText error={doubt.error} during="server" />;
  const said = t(`server.answered.${doubt.answered}`);
  return door === 'test' && mayHaveOtherPaths.has(doubt.answered) ? `${said} ${t('welcome.test.otherPaths')}` : said;
}

/** What servers answer at a path that they do not have. */
const mayHaveOtherPaths: ReadonlySet<string> = new Set(['path-missing', 'web-page', 'something-else']);

/** Says whom is waited for: the person, of whom the system asks something, or the server. */
function Waiting({ sending }: { sending: boolean }) {
  const isAsked = useApp().asking;
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
