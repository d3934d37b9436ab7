import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface RememberMeProps {
  /** It is false where no session outlives the application anyway. */
  may: boolean;
  remember: boolean;
  onChange: (remember: boolean) => void;
}

/** Asks whether the session that begins may outlive the application. */
export function RememberMe({ may, remember, onChange }: RememberMeProps) {
  const { t } = useTranslation();
  if (!may) {
    return (
      <Text size="sm" c="dimmed">
        {t('remember.never')}
      </Text>
    );
  }
  return (
    <Checkbox
      label={t('remember.label')}
      // The line is held while there is nothing to say.
      description={remember ? '\u00A0' : t('remember.not')}
      checked={remember}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
