import { ActionIcon, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import classes from './field.module.css';
import { EyeIcon, EyeOffIcon, WarningIcon } from './icons.tsx';
import { t } from '../i18n.ts';

interface SecretInputProps extends Omit<TextInputProps, 'type' | 'rightSection'> {
  visible: boolean;
  /** The secret that the toggle reveals. */
  shows?: 'password' | 'pin';
  /** Without it there is no toggle, as in a form where one toggle serves all secrets. */
  onToggle?: (() => void) | undefined;
}

/**
 * A password field. Its toggle is a button with a constant name and a changing state. Caps Lock is shown while typing,
 * and so is a blank at either end, which is hard to see.
 */
export function SecretInput({ visible, shows = 'password', onToggle, ...input }: SecretInputProps) {
  const [capsLock, setCapsLock] = useState(false);
  const [toggled, setToggled] = useState(false);
  const label = t(`field.show.${shows}.label`);
  const { value } = input;
  const hasBlank = shows === 'password' && typeof value === 'string' && value !== value.trim();
  // On the Caps Lock key itself, `keydown` has the state before it, and `keyup` the one after it.
  const readCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className="here">
      <TextInput
        {...input}
        onKeyDown={readCapsLock}
        onKeyUp={readCapsLock}
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
              {/* The name of the toggle is content and no label, so that only the field is labelled "Password". */}
              <VisuallyHidden>{label}</VisuallyHidden>
            </ActionIcon>
          )
        }
      />
      {/* Neither has a role: Orca would announce its name even while it is empty. */}
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
