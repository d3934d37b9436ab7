import type { RedactedText, SecretReference } from '../../preload/contract/calls.ts';
import { BreakableText } from '../components/untrusted-text.tsx';
import classes from './answers.module.css';
import { createSecretNumbers } from './redacted-text.ts';
import { t } from '../i18n.ts';

/** The numbers live as long as the window, so that a token has the same number in every call. */
const numbers = createSecretNumbers();

/** Names a secret. Its name is the same wherever it stood. */
export const secretName = (reference: SecretReference): string =>
  `${t(`calls.secret.${reference.secret}`)} ${numbers.of(reference)}`;

/** Nobody can take it for the value of the secret by sight, by ear or in a copied text. */
function SecretMark({ reference }: { reference: SecretReference }) {
  const name = secretName(reference);
  return (
    // A screen reader says it as one thing under its name.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span className={classes.secret} role="img" aria-label={t('calls.secretName', { name })}>
      ‹{name}›
    </span>
  );
}

/** A text from the wire, with its own writing direction. */
export function Redacted({ text }: { text: RedactedText }) {
  return (
    <bdi>
      {text.map((part, index) =>
        typeof part === 'string' ? (
          // oxlint-disable-next-line react/no-array-index-key -- A recorded text never changes.
          <BreakableText key={index} text={part} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- A recorded text never changes.
          <SecretMark key={index} reference={part} />
        ),
      )}
    </bdi>
  );
}
