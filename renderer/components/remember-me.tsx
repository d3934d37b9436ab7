import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface RememberMeProps {
  /** False where no session outlives the application anyway. */
  may: boolean;
  remember: boolean;
  onChange: (remember: boolean) => void;
}

/** Whether the session that begins may outlive the application. */
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
      // Its line is held while it says nothing.
      description={remember ? '\u00A0' : t('remember.not')}
      checked={remember}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
