import { Radio, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RegistrationPath } from '../../../../preload/contract/models.ts';
import { api, currentAppState } from '../../../api.ts';
import { Actions } from '../../../components/actions.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { Card, OtherScreen } from '../../../components/form-card.tsx';
import { RememberMe } from '../../../components/remember-me.tsx';
import { SecretInput } from '../../../components/secret-input.tsx';
import { type AccountValues, type Field, useAccountForm } from '../../../use-account-form.tsx';

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

export function RegisterScreen(props: RegisterScreenProps) {
  const { activeServerId, mayRemember, initialPath, name, email, onValuesChange, onLogin, onRegistered } = props;
  const { t } = useTranslation();
  const [path, setPath] = useState(initialPath);

  async function register(values: AccountValues, remember: boolean) {
    const before = currentAppState()?.revision;
    const result = await api.session.register({ path, remember, ...values });
    const after = currentAppState();
    const notice = after?.session.step === 'signed-out' ? after.session.notice : undefined;
    if (after?.revision !== before && notice?.kind === 'registered-not-logged-in') onRegistered(notice.email);
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
  useEffect(() => headingRef.current?.focus(), []);

  return (
    <Card title={t('screen.register')} headingRef={headingRef}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="xs">
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
          <Radio.Group
            label={t('register.path')}
            description={t('register.pathHelp')}
            name="path"
            value={path}
            onChange={(value) => setPath(value === 'register' ? 'register' : 'registro')}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="registro" label="/registro" description={t('register.registro')} />
              <Radio value="register" label="/register" description={t('register.register')} />
            </Stack>
          </Radio.Group>
          <SecretInput
            {...form.input('password')}
            label={t('field.password')}
            autoComplete="new-password"
            visible={form.secretsVisible}
            onToggle={form.toggleSecrets}
          />
          {path === 'register' && (
            <SecretInput
              {...form.input('cpassword')}
              label={t('field.cpassword')}
              autoComplete="new-password"
              visible={form.secretsVisible}
            />
          )}
          <RememberMe may={mayRemember} remember={form.remember} onChange={form.setRemember} />
          <Actions label={t('screen.register')} sending={form.sending} wait={form.wait} />
        </Stack>
      </form>
      <OtherScreen question={t('register.haveAccount')} label={t('screen.login')} onOpen={onLogin} />
      {form.alert && (
        <ErrorMessage error={form.alert} during="register" more={form.more} wait={form.wait} ref={alertRef} />
      )}
    </Card>
  );
}
