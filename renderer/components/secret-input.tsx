import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTexts } from '../texts.tsx';
import classes from './field.module.css';
import { EyeIcon, EyeOffIcon, WarningIcon } from './icons.tsx';

interface SecretInputProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  visible: boolean;
  /** If it is absent there is no toggle: one toggle serves all secrets of a form. */
  onToggle?: (() => void) | undefined;
}

/**
 * Shows a password field. Its toggle is a button of its own, whose name stays and whose state changes. Caps Lock is said
 * while somebody types with it.
 */
export function SecretInput({ visible, onToggle, ...input }: SecretInputProps) {
  const { t } = useTexts();
  const [capsLock, setCapsLock] = useState(false);
  const [toggled, setToggled] = useState(false);
  const label = t('field.showPassword');
  // A key that changes Caps Lock tells the state before it when it goes down, and the one after it when it comes up.
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className={classes.secret}>
      <TextInput
        {...input}
        onKeyDown={look}
        onKeyUp={look}
        onBlur={(event) => {
          setCapsLock(false);
          input.onBlur?.(event);
        }}
        type={visible ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        rightSection={
          onToggle && (
            <ActionIcon
              variant="subtle"
              color="gray"
              title={label}
              aria-pressed={visible}
              onClick={() => {
                setToggled(true);
                onToggle();
              }}
            >
              {visible ? <EyeOffIcon size={20} /> : <EyeIcon size={20} />}
              {/* The toggle is content and not part of the label, so that the field alone is labelled "Password". */}
              <VisuallyHidden>{label}</VisuallyHidden>
            </ActionIcon>
          )
        }
      />
      {/* Neither has a role: Orca would name it even while it is empty. */}
      <div aria-live="polite" className={classes.caps}>
        {capsLock && (
          <>
            <WarningIcon size={14} />
            {t('field.capsLock')}
          </>
        )}
      </div>
      <VisuallyHidden aria-live="polite">
        {toggled && t(visible ? 'field.passwordShown' : 'field.passwordHidden')}
      </VisuallyHidden>
    </div>
  );
}
