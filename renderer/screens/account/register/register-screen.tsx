import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { RegistrationPath } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api, currentAppState } from '../../../api.ts';
import { arriveAt } from '../../../arrive.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import fieldClasses from '../../../components/field.module.css';
import { FormCard, OtherScreen, Where } from '../../../components/form-card.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { productionQuestion } from '../../../production-question.ts';
import { useStartServer } from '../../../components/start-server.tsx';
import { useTexts } from '../../../texts.tsx';
import { type AccountValues, type Field, useAccountForm } from '../../../use-account-form.tsx';
import classes from '../account-form.module.css';
import { PasswordStrength } from './password-strength.tsx';
import { RegistrationPathChoice } from './registration-path.tsx';

interface RegisterScreenProps {
  activeServerId: string;
  mayRemember: boolean;
  initialPath: RegistrationPath;
  name: string;
  email: string;
  onValuesChange: (values: AccountValues) => void;
  onLogin: () => void;
  /** Called when the account exists and the login after it failed. The log-in screen takes over. */
  onRegistered: (email: string) => void;
}

const fieldsOf: Record<RegistrationPath, readonly Field[]> = {
  registro: ['name', 'email', 'password'],
  register: ['name', 'email', 'password', 'cpassword'],
};

const otherOf: Record<RegistrationPath, RegistrationPath> = { registro: 'register', register: 'registro' };

/** The statuses of a path that is not there, also where a page says so. */
const gone: ReadonlySet<number> = new Set([404, 405, 410, 501]);

const isPathMissing = (error: AppError): boolean =>
  (error.kind === 'unexpected' && error.reason === 'operation-missing') ||
  (error.kind === 'not-an-api-answer' && gone.has(error.status));

/** Returns the email of an account that was made since a revision of the state, and is not logged in. */
function registeredSince(revision: number | undefined): string | undefined {
  const after = currentAppState();
  const notice = after?.session.step === 'signed-out' ? after.session.notice : undefined;
  const isOfRegistration = notice?.kind === 'registered-not-logged-in' || notice?.kind === 'confirm-first';
  return isOfRegistration && after?.revision !== revision ? notice.email : undefined;
}

export function RegisterScreen(props: RegisterScreenProps) {
  const { activeServerId, mayRemember, initialPath, name, email, onValuesChange, onLogin, onRegistered } = props;
  const { t } = useTexts();
  const [path, setPath] = useState(initialPath);
  /** The path at which the last try was made. The offer of the other one stays what it was until the next try. */
  const [tried, setTried] = useState(initialPath);

  async function register(values: AccountValues, remember: boolean) {
    setTried(path);
    const before = currentAppState()?.revision;
    const result = await api.session.register({ path, remember, ...values });
    const email = registeredSince(before);
    if (email !== undefined) onRegistered(email);
    return result;
  }

  const alertRef = useRef<HTMLDivElement>(null);
  const form = useAccountForm({
    fields: fieldsOf[path],
    initialValues: { name, email },
    activeServerId,
    send: register,
    onValuesChange,
    alertRef,
  });
  const headingRef = useRef<HTMLHeadingElement>(null);
  const start = useStartServer(activeServerId, () => form.focus('name'));
  useEffect(() => arriveAt(headingRef.current), []);
  // A form that is closed sends nothing any more.
  useEffect(() => () => productionQuestion.leave('register'), []);

  const formRef = useRef<HTMLFormElement>(null);
  /** Sends the same to the other path. Where that has a second field for the password, it has what was typed in the first. */
  function goOnAtOther() {
    form.repeatPassword();
    setPath(otherOf[tried]);
    requestAnimationFrame(() => formRef.current?.requestSubmit());
  }

  return (
    <FormCard
      title={t('screen.register')}
      headingRef={headingRef}
      where={<Where preposition="on" start={start.offer} />}
      under={<OtherScreen question={t('register.haveAccount')} label={t('screen.login')} onOpen={onLogin} />}
      wrong={
        form.alert ? (
          <ErrorMessage
            error={form.alert}
            during="register"
            {...form.said}
            wrongFields={form.wrongFields}
            ref={alertRef}
          >
            {isPathMissing(form.alert) && path === tried && <UseOther onPress={goOnAtOther} />}
          </ErrorMessage>
        ) : (
          start.wrong
        )
      }
    >
      <form ref={formRef} onSubmit={form.submit} noValidate>
        <TextInput {...form.input('name')} label={t('field.name')} autoComplete="name" spellCheck={false} />
        <TextInput
          {...form.input('email')}
          label={t('field.email')}
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
        <Passwords form={form} isRepeated={path === 'register'} />
        <RememberMe may={mayRemember} remember={form.remember} onChange={form.setRemember} />
        <Actions label={t('screen.register')} sending={form.sending} wait={form.wait} />
        <RegistrationPathChoice path={path} onChange={setPath} />
      </form>
    </FormCard>
  );
}

/** Offers the other path where the server refused one. */
function UseOther({ onPress }: { onPress: () => void }) {
  const { t } = useTexts();
  return (
    <Button variant="default" size="xs" onClick={onPress}>
      {t('register.useOther')}
    </Button>
  );
}

interface PasswordsProps {
  form: ReturnType<typeof useAccountForm>;
  isRepeated: boolean;
}

function Passwords({ form, isRepeated }: PasswordsProps) {
  const { t } = useTexts();
  return (
    <>
      <SecretInput
        {...form.input('password')}
        classNames={{ root: `${fieldClasses.field} ${classes.advised}` }}
        label={t('field.password')}
        autoComplete="new-password"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        descriptionProps={{ component: 'div' }}
        description={
          <PasswordStrength password={form.value('password')} known={[form.value('name'), form.value('email')]} />
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
        />
      )}
    </>
  );
}
