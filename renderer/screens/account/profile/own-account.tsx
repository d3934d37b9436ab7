import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useId, useRef, useState } from 'react';
import type { AccountFeatures } from '../../../../preload/contract/connection.ts';
import { cleanEmail } from '../../../../preload/contract/clean-email.ts';
import { api, currentAppState, useActiveServer, useApp } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import fieldClasses from '../../../components/field.module.css';
import { ChevronIcon, ChevronRightIcon, BinIcon } from '../../../components/icons.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { SecretInput } from '../../../components/secret-input.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { t } from '../../../i18n.ts';
import { serverName } from '../../../server-name.ts';
import { useAction } from '../../../use-action.ts';
import { PasswordStrength } from '../register/password-strength.tsx';
import classes from './own-account.module.css';

/** What the server offers for the account itself: another password, and its deletion. */
export function OwnAccount({ sessionId, features }: { sessionId: string; features: AccountFeatures }) {
  const server = useActiveServer();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id} className={classes.head}>
        <Button
          variant="subtle"
          color="gray"
          className={classes.toggle}
          aria-expanded={isOpen}
          leftSection={isOpen ? <ChevronIcon /> : <ChevronRightIcon />}
          onClick={() => setOpen(!isOpen)}
        >
          {t('ownAccount.title')}
        </Button>
        <span className="far hint">
          <UntrustedText text={serverName(server)} />
        </span>
      </h2>
      {isOpen && (
        <div className={classes.forms}>
          {features.changePassword && (
            <ChangePassword sessionId={sessionId} hasCurrent={features.changePassword.current} />
          )}
          {features.deleteAccount && (
            <DeleteAccount sessionId={sessionId} hasPassword={features.deleteAccount.password} />
          )}
        </div>
      )}
    </section>
  );
}

const field = { classNames: { root: fieldClasses.field }, required: true } as const;

function ChangePassword({ sessionId, hasCurrent }: { sessionId: string; hasCurrent: boolean }) {
  const { sessions } = useApp();
  const { run, pending, failure } = useAction();
  const [values, setValues] = useState({ password: '', newPassword: '' });
  const [isVisible, setVisible] = useState(false);
  const [missing, setMissing] = useState<readonly ('password' | 'newPassword')[]>([]);
  const fields = { password: useRef<HTMLInputElement>(null), newPassword: useRef<HTMLInputElement>(null) };
  const account = sessions.find(({ id }) => id === sessionId)?.account ?? '';

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const needed = hasCurrent ? (['password', 'newPassword'] as const) : (['newPassword'] as const);
    const empty = needed.filter((name) => values[name] === '');
    setMissing(empty);
    if (empty[0]) {
      fields[empty[0]].current?.focus();
      return;
    }
    const result = await run(
      () => api.sessions.changePassword({ id: sessionId, ...values }),
      // Otherwise the login form says so.
      ({ ended }) => (ended ? undefined : () => t('ownAccount.changed')),
    );
    if (result?.ok) setValues({ password: '', newPassword: '' });
  }

  const input = (name: 'password' | 'newPassword') => ({
    ...field,
    ref: fields[name],
    name: name === 'password' ? 'currentPassword' : name,
    value: values[name],
    visible: isVisible,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setMissing([]);
      setValues({ ...values, [name]: value });
    },
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <h3 className={classes.title}>{t('ownAccount.changePassword')}</h3>
      {hasCurrent && (
        <SecretInput
          {...input('password')}
          label={t('ownAccount.current')}
          autoComplete="current-password"
          error={missing.includes('password') && t('local.password')}
        />
      )}
      <SecretInput
        {...input('newPassword')}
        label={t('ownAccount.new')}
        autoComplete="new-password"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        descriptionProps={{ component: 'div' }}
        description={<PasswordStrength password={values.newPassword} known={[account]} />}
        error={missing.includes('newPassword') && t('ownAccount.newMissing')}
        onToggle={() => setVisible(!isVisible)}
      />
      <Button type="submit" aria-busy={pending} aria-disabled={pending}>
        {t('ownAccount.changePassword')}
      </Button>
      <p className={classes.help}>{t('ownAccount.othersStay')}</p>
      {failure && <ErrorMessage error={failure.error} during="change-password" />}
    </form>
  );
}

function DeleteAccount({ sessionId, hasPassword }: { sessionId: string; hasPassword: boolean }) {
  const { interface: accepted } = useActiveServer();
  const { run, pending, failure } = useAction();
  const [values, setValues] = useState({ typed: '', password: '' });
  const helpId = useId();
  const by = accepted.byUsername ? 'username' : 'email';
  // The state of the screen has emails masked while presenting.
  const account = currentAppState()?.sessions.find(({ id }) => id === sessionId)?.account;
  const isSame = account !== undefined && (values.typed.trim() === account || cleanEmail(values.typed) === account);
  const isReady = isSame && (!hasPassword || values.password !== '');

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isReady && !pending) await run(() => api.sessions.deleteAccount({ id: sessionId, ...values }));
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <h3 className={classes.title}>{t('ownAccount.delete')}</h3>
      <p className={classes.about}>{t('ownAccount.deleteHelp')}</p>
      <TextInput
        {...field}
        name="typed"
        label={t(by === 'username' ? 'ownAccount.confirmUsername' : 'ownAccount.confirmEmail')}
        inputMode={by === 'email' ? 'email' : 'text'}
        {...plainText}
        autoComplete="off"
        value={values.typed}
        onChange={({ currentTarget: { value } }) => setValues({ ...values, typed: value })}
      />
      {hasPassword && (
        <SecretInput
          {...field}
          name="password"
          label={t('field.password')}
          autoComplete="current-password"
          value={values.password}
          visible={false}
          onChange={({ currentTarget: { value } }) => setValues({ ...values, password: value })}
        />
      )}
      <Button
        type="submit"
        variant="outline"
        color="red"
        leftSection={<BinIcon />}
        aria-busy={pending}
        aria-disabled={!isReady || pending}
        data-disabled={!isReady}
        aria-describedby={helpId}
      >
        {t('ownAccount.delete')}
      </Button>
      <p id={helpId} className={classes.help} aria-live="polite">
        {values.typed !== '' && !isSame && t(`ownAccount.noMatch.${by}`)}
      </p>
      {failure && <ErrorMessage error={failure.error} during="delete-account" />}
    </form>
  );
}
