import { TextInput, VisuallyHidden } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ShownInterface } from '../../../../preload/contract/connection.ts';
import type { RegistrationPath } from '../../../../preload/contract/settings.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api, currentAppState, isReadAloud, useApp } from '../../../api.ts';
import { moveFocus } from '../../../move-focus.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { FormCard, OtherScreen, Where } from '../../../components/form-card.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { productionQuestion } from '../../../production-question.ts';
import { useStartServer } from '../../../components/start-server.tsx';
import { type AccountValues, type Field, useAccountForm } from '../../../use-account-form.tsx';
import classes from '../account-form.module.css';
import { madeUpPerson } from './made-up-person.ts';
import { PasswordStrength } from './password-strength.tsx';
import { RegistrationPathChoice } from './registration-path.tsx';
import { t } from '../../../i18n.ts';

export interface RegisterScreenProps {
  mayRemember: boolean;
  /** Whether the form may be filled with somebody made up. */
  offersPerson: boolean;
  initialPath: RegistrationPath;
  /** Whether the path is shown and can be changed. */
  showsPath: boolean;
  /** What the server's interface takes, which has a path at least. */
  takes: Pick<ShownInterface, 'registrations' | 'fields' | 'byUsername'>;
  name: string;
  email: string;
  onValuesChange: (values: AccountValues) => void;
  onLogin: () => void;
  /** Called when the account exists and the login after it failed. The log-in screen takes over. */
  onRegistered: (email: string) => void;
}

const fieldsOf: Record<RegistrationPath, readonly Field[]> = {
  registro: ['name', 'username', 'email', 'password'],
  register: ['name', 'username', 'email', 'password', 'cpassword'],
};

/** What a registration has at some interfaces alone. */
const optional: ReadonlySet<Field> = new Set(['name', 'username', 'email']);

const otherOf: Record<RegistrationPath, RegistrationPath> = { registro: 'register', register: 'registro' };

/** The statuses of a path that is not there, also where a page says so. */
const gone: ReadonlySet<number> = new Set([404, 405, 410, 501]);

const isPathMissing = (error: AppError): boolean =>
  (error.kind === 'unexpected' && error.reason === 'operation-missing') ||
  (error.kind === 'not-an-api-answer' && gone.has(error.status));

export function RegisterScreen(props: RegisterScreenProps) {
  const { activeServerId } = useApp();
  const { mayRemember, initialPath, takes, name, email, onValuesChange, onLogin, onRegistered } = props;
  const [path, setPath] = useState(initialPath);
  /** The path at which the last try was made. The offer of the other one stays what it was until the next try. */
  const [tried, setTried] = useState(initialPath);

  async function register({ username, ...values }: AccountValues, remember: boolean) {
    setTried(path);
    const result = await api.session.register({ path, remember, ...values, ...(username !== '' && { username }) });
    // Another server may be on the screen by now.
    const isHere = currentAppState()?.activeServerId === activeServerId;
    const who = takes.byUsername && username !== '' ? username : values.email;
    if (isHere && result.ok && result.value === 'not-logged-in') onRegistered(who);
    return result;
  }

  const fields = fieldsOf[path].filter((field) => !optional.has(field) || takes.fields.includes(field));
  const hasChoice = takes.registrations.length > 1;
  const form = useAccountForm({
    fields,
    initialValues: { name, ...(takes.byUsername ? { username: email } : { email }) },
    send: register,
    onValuesChange: (values) => onValuesChange(takes.byUsername ? { ...values, email: values.username } : values),
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const start = useStartServer(form.focusFirstEmpty);
  const focusOnArrival = useEffectEvent(() => (isReadAloud() ? moveFocus(headingRef.current) : form.focusFirstEmpty()));
  useEffect(() => focusOnArrival(), []);
  // A form that is closed sends nothing any more.
  useEffect(() => () => productionQuestion.leave('register'), []);

  const formRef = useRef<HTMLFormElement>(null);
  /** Sends the same to the other path. Where that has a second field for the password, it has what was typed in the first. */
  function goOnAtOther() {
    form.repeatPassword();
    setPath(otherOf[tried]);
    requestAnimationFrame(() => formRef.current?.requestSubmit());
  }

  const { alert } = form;
  const mayExist = alert && 'perhapsDone' in alert.error && alert.error.perhapsDone === true;
  const isOtherOffered = alert && hasChoice && isPathMissing(alert.error) && path === tried;
  const action = mayExist
    ? { label: t('register.tryLogin'), onPress: onLogin }
    : isOtherOffered
      ? { label: t('register.useOther'), onPress: goOnAtOther }
      : undefined;
  return (
    <FormCard
      title={t('screen.register')}
      headingRef={headingRef}
      fields={fields.length}
      where={<Where preposition="on" start={start.offer} />}
      notice={alert?.error.kind}
      under={
        <>
          {props.offersPerson && <FillWithPerson onFill={() => form.fill(madeUpPerson())} />}
          {hasChoice && props.showsPath && <RegistrationPathChoice path={path} onChange={setPath} />}
          <OtherScreen question={t('register.haveAccount')} label={t('screen.login')} onOpen={onLogin} />
        </>
      }
    >
      <form ref={formRef} onSubmit={form.submit} noValidate>
        <Names form={form} fields={fields} />
        <Passwords form={form} isRepeated={path === 'register'} />
        <RememberMe may={mayRemember} remember={form.remember} onChange={form.setRemember} />
        <Actions
          label={t('screen.register')}
          again={t('register.again')}
          sending={form.sending}
          wait={form.wait}
          notice={alert ? <ErrorMessage during="register" {...alert} action={action} /> : start.wrong}
        />
      </form>
    </FormCard>
  );
}

/** Fills the form with somebody who is not, for those who test a server. */
function FillWithPerson({ onFill }: { onFill: () => void }) {
  const [isFilled, setIsFilled] = useState(false);
  return (
    <p className={classes.path}>
      <button
        type="button"
        className={linkClasses.link}
        onClick={() => {
          onFill();
          setIsFilled(true);
        }}
      >
        {t('register.fill')}
      </button>
      <VisuallyHidden component="output">{isFilled && t('register.filled')}</VisuallyHidden>
    </p>
  );
}

function Names({ form, fields }: { form: ReturnType<typeof useAccountForm>; fields: readonly Field[] }) {
  return (
    <>
      {fields.includes('name') && (
        <TextInput {...form.input('name')} label={t('field.name')} autoComplete="name" spellCheck={false} />
      )}
      {fields.includes('username') && (
        <TextInput
          {...form.input('username')}
          label={t('field.username')}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      )}
      {fields.includes('email') && (
        <TextInput
          {...form.input('email')}
          label={t('field.email')}
          inputMode="email"
          autoComplete={fields.includes('username') ? 'email' : 'username'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      )}
    </>
  );
}

function Passwords({ form, isRepeated }: { form: ReturnType<typeof useAccountForm>; isRepeated: boolean }) {
  return (
    <>
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
      {isRepeated && (
        <SecretInput
          {...form.input('cpassword')}
          label={t('field.cpassword')}
          autoComplete="new-password"
          visible={form.secretsVisible}
          onToggle={form.toggleSecrets}
        />
      )}
    </>
  );
}
