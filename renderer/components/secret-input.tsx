import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './field.module.css';
import { EyeIcon, EyeOffIcon, WarningIcon } from './icons.tsx';
import { t } from '../i18n.ts';

interface SecretInputProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  visible: boolean;
  /** What the toggle shows. */
  shows?: 'password' | 'pin';
  /** If it is absent there is no toggle: one toggle serves all secrets of a form. */
  onToggle?: (() => void) | undefined;
}

/**
 * Shows a password field. Its toggle is a button of its own, whose name stays and whose state changes. Caps Lock is said
 * while somebody types with it, and a blank at an end, which is hard to see.
 */
export function SecretInput({ visible, shows = 'password', onToggle, ...input }: SecretInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  const [toggled, setToggled] = useState(false);
  const label = t(`field.show.${shows}.label`);
  const { value } = input;
  const hasBlank = shows === 'password' && typeof value === 'string' && value !== value.trim();
  // A key that changes Caps Lock tells the state before it when it goes down, and the one after it when it comes up.
  const look = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className="here">
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
        {(capsLock || hasBlank) && (
          <>
            <WarningIcon size={14} />
            {t(capsLock ? 'field.capsLock' : 'field.blankAround')}
          </>
        )}
      </div>
      <VisuallyHidden aria-live="polite">
        {toggled && t(visible ? `field.show.${shows}.shown` : `field.show.${shows}.hidden`)}
      </VisuallyHidden>
    </div>
  );
}
