import { Menu, TextInput, VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { InterfaceSummary } from '../../../../preload/contract/connection.ts';
import type { RegistrationPath } from '../../../../preload/contract/settings.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api, currentAppState, isReadAloud, useActiveServer, useApp } from '../../../api.ts';
import { moveFocus } from '../../../move-focus.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { FormCard, FormLink, FormServer } from '../../../components/form-card.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { productionQuestion } from '../../../production-question.ts';
import { SubmitButton } from '../../../components/submit-button.tsx';
import { type AccountValues, type Field, useAccountForm } from '../../../use-account-form.tsx';
import classes from '../account-form.module.css';
import { PasswordStrength } from './password-strength.tsx';
import { createRandomPerson } from './random-person.ts';
import { t } from '../../../i18n.ts';

export interface RegisterScreenProps {
  initialPath: RegistrationPath;
  /** What the server's interface accepts: at least one path. */
  accepted: Pick<InterfaceSummary, 'registrations' | 'fields' | 'byUsername'>;
  draft: { name: string; email: string };
  onDraft: (draft: { name: string; email: string }) => void;
  onLogin: () => void;
  /** Called if the account was created and the login after it failed. */
  onRegistered: (account: string) => void;
}

const paths: readonly RegistrationPath[] = ['registro', 'register'];

const fieldsOf: Record<RegistrationPath, readonly Field[]> = {
  registro: ['name', 'username', 'email', 'password'],
  register: ['name', 'username', 'email', 'password', 'cpassword'],
};

/** Fields that only some interfaces have. */
const optional: ReadonlySet<Field> = new Set(['name', 'username', 'email']);

const otherOf: Record<RegistrationPath, RegistrationPath> = { registro: 'register', register: 'registro' };

/** The statuses of a missing path. */
const missingStatuses: ReadonlySet<number> = new Set([404, 405, 410, 501]);

const isPathMissing = (error: AppError): boolean =>
  (error.kind === 'unexpected' && error.reason === 'operation-missing') ||
  (error.kind === 'not-an-api-answer' && missingStatuses.has(error.status));

export function RegisterScreen({ initialPath, accepted, draft, onDraft, onLogin, onRegistered }: RegisterScreenProps) {
  const { activeServerId, settings } = useApp();
  const { production, builtIn } = useActiveServer();
  const [path, setPath] = useState(initialPath);
  /** The path of the last attempt. The offer of the other one stays the same until the next. */
  const [triedPath, setTriedPath] = useState(initialPath);
  const [isFilled, setIsFilled] = useState(false);

  async function register({ username, ...values }: AccountValues, remember: boolean) {
    setTriedPath(path);
    const result = await api.session.register({ path, remember, ...values, ...(username !== '' && { username }) });
    // Another server may be active by now.
    const isHere = currentAppState()?.activeServerId === activeServerId;
    const account = accepted.byUsername && username !== '' ? username : values.email;
    if (isHere && result.ok && result.value === 'not-logged-in') onRegistered(account);
    return result;
  }

  const fields = fieldsOf[path].filter((field) => !optional.has(field) || accepted.fields.includes(field));
  const hasChoice = accepted.registrations.length > 1;
  const form = useAccountForm({
    fields,
    initialValues: { name: draft.name, [accepted.byUsername ? 'username' : 'email']: draft.email },
    send: register,
    onValuesChange: ({ name, username, email }) => onDraft({ name, email: accepted.byUsername ? username : email }),
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const focusOnMount = useEffectEvent(() => (isReadAloud() ? moveFocus(headingRef.current) : form.focusFirstEmpty()));
  useEffect(() => focusOnMount(), []);
  // An unmounted form sends nothing any more.
  useEffect(() => () => productionQuestion.leave('register'), []);

  const formRef = useRef<HTMLFormElement>(null);
  /** Fills the second password field, which the other path may have, from the first. */
  function sendToOtherPath() {
    form.repeatPassword();
    setPath(otherOf[triedPath]);
    requestAnimationFrame(() => formRef.current?.requestSubmit());
  }

  const { failure } = form;
  const mayExist = failure && 'perhapsDone' in failure.error && failure.error.perhapsDone === true;
  const isOtherOffered = failure && hasChoice && isPathMissing(failure.error) && path === triedPath;
  const action = mayExist
    ? { label: t('register.tryLogin'), onPress: onLogin }
    : isOtherOffered
      ? { label: t('register.useOther'), onPress: sendToOtherPath }
      : undefined;
  return (
    <FormCard
      title={t('screen.register')}
      headingRef={headingRef}
      fields={fields.length}
      under={
        <>
          {!production && (settings.workbench || builtIn) && (
            <p className={classes.path}>
              <button
                type="button"
                className={linkClasses.link}
                onClick={() => {
                  form.fill(createRandomPerson());
                  setIsFilled(true);
                }}
              >
                {t('register.fill')}
              </button>
              <VisuallyHidden component="output">{isFilled && t('register.filled')}</VisuallyHidden>
            </p>
          )}
          {hasChoice && settings.workbench && <PathChoice path={path} onChange={setPath} />}
          <FormLink question={t('register.haveAccount')} label={t('screen.login')} onOpen={onLogin} />
        </>
      }
    >
      <FormServer preposition="on" />
      <form ref={formRef} onSubmit={form.submit} noValidate>
        {fields.includes('name') && (
          <TextInput {...form.input('name')} label={t('field.name')} autoComplete="name" spellCheck={false} />
        )}
        {fields.includes('username') && (
          <TextInput {...form.input('username')} label={t('field.username')} {...plainText} autoComplete="username" />
        )}
        {fields.includes('email') && (
          <TextInput
            {...form.input('email')}
            label={t('field.email')}
            inputMode="email"
            {...plainText}
            autoComplete={fields.includes('username') ? 'email' : 'username'}
          />
        )}
        <SecretInput
          {...form.input('password')}
          label={t('field.password')}
          autoComplete="new-password"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          descriptionProps={{ component: 'div' }}
          description={
            <PasswordStrength
              password={form.value('password')}
              known={[form.value('name'), form.value('email') || form.value('username')]}
            />
          }
          visible={form.secretsVisible}
          onToggle={form.toggleSecrets}
        />
        {path === 'register' && (
          <SecretInput
            {...form.input('cpassword')}
            label={t('field.cpassword')}
            autoComplete="new-password"
            visible={form.secretsVisible}
            onToggle={form.toggleSecrets}
          />
        )}
        <RememberMe remember={form.remember} onChange={form.setRemember} />
        <SubmitButton
          label={t('screen.register')}
          waitingLabel={t('register.again')}
          sending={form.sending}
          wait={form.wait}
        >
          {failure && <ErrorMessage during="register" {...failure} action={action} />}
        </SubmitButton>
      </form>
    </FormCard>
  );
}

/** Stands for the path in a translated sentence. NUL is no part of any. */
const pathMark = '\0';

/** Shows the path, and lets the user change it. */
function PathChoice({ path, onChange }: { path: RegistrationPath; onChange: (path: RegistrationPath) => void }) {
  const [before, after] = t('register.at', { path: pathMark }).split(pathMark);
  return (
    <p className={classes.path}>
      <span>
        {before}
        <code>/{path}</code>
        {after}
      </span>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={linkClasses.link} aria-label={t('register.changePath')}>
            {t('register.change')}
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('register.path')}>
          {paths.map((each) => (
            <Menu.RadioItem
              key={each}
              closeMenuOnClick
              value={each}
              checked={each === path}
              onChange={() => onChange(each)}
            >
              <code>/{each}</code>
              <span className={classes.choice}>{t(`register.${each}`)}</span>
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </p>
  );
}
