import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { RedactedText, SecretReference } from '../../preload/contract/calls.ts';
import classes from './answers.module.css';
import { createSecretNumbers } from './redacted-text.ts';

/** It lives as long as the window, so that a token has the same number in every call. */
const numbers = createSecretNumbers();

/** What a secret is called wherever it stood. */
export const secretName = (reference: SecretReference, t: TFunction): string =>
  `${t(`calls.secret.${reference.secret}`)} ${numbers.of(reference)}`;

/** Stands where a secret was; it cannot be taken for the value, seen, heard or copied. */
function SecretMark({ reference }: { reference: SecretReference }) {
  const { t } = useTranslation();
  const name = secretName(reference, t);
  return (
    // A picture of text, so that it is heard as one thing under its name.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span className={classes.secret} role="img" aria-label={t('calls.secretName', { name })}>
      ‹{name}›
    </span>
  );
}

/** A text from the wire, in lines of its own writing direction. */
export function Redacted({ text }: { text: RedactedText }) {
  return (
    <bdi>
      {text.map((part, index) =>
        typeof part === 'string' ? (
          part
        ) : (
          // A reference is where it is: a recorded text never changes.
          // oxlint-disable-next-line react/no-array-index-key
          <SecretMark key={index} reference={part} />
        ),
      )}
    </bdi>
  );
}
