import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EyeIcon, EyeOffIcon } from './icons.tsx';

interface SecretInputProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  visible: boolean;
  /** Without it there is no toggle: one toggle serves all secrets of a form. */
  onToggle?: (() => void) | undefined;
}

/** A password field; the toggle is a button of its own with a name that stays and a state that changes. */
export function SecretInput({ visible, onToggle, ...input }: SecretInputProps) {
  const { t } = useTranslation();
  const label = t('field.showPassword');
  return (
    <TextInput
      {...input}
      type={visible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      rightSection={
        onToggle && (
          <ActionIcon variant="subtle" color="gray" title={label} aria-pressed={visible} onClick={onToggle}>
            {visible ? <EyeOffIcon /> : <EyeIcon />}
            {/* As content and not as a label: what is labelled "Password" is the field alone. */}
            <VisuallyHidden>{label}</VisuallyHidden>
          </ActionIcon>
        )
      }
    />
  );
}
