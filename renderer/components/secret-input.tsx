import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EyeIcon, EyeOffIcon } from './icons.tsx';

interface SecretInputProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  visible: boolean;
  /** If it is absent there is no toggle: one toggle serves all secrets of a form. */
  onToggle?: (() => void) | undefined;
}

/** Shows a password field. Its toggle is a button of its own, whose name stays and whose state changes. */
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
            {/* The toggle is content and not part of the label, so that the field alone is labelled "Password". */}
            <VisuallyHidden>{label}</VisuallyHidden>
          </ActionIcon>
        )
      }
    />
  );
}
