import type { RedactedText, SecretReference } from '../../preload/contract/calls.ts';
import { BreakableText } from '../components/untrusted-text.tsx';
import classes from './answers.module.css';
import { createSecretNumbers } from './redacted-text.ts';
import { t } from '../i18n.ts';

/** Kept as long as the window, so that a token has the same number in every call. */
const numbers = createSecretNumbers();

/** The same secret has the same name everywhere, such as `token 1`. */
export const secretName = (reference: SecretReference): string =>
  `${t(`calls.secret.${reference.secret}`)} ${numbers.of(reference)}`;

/** Cannot be mistaken for the value of the secret on the screen, by a screen reader or in copied text. */
function SecretMark({ reference }: { reference: SecretReference }) {
  const name = secretName(reference);
  return (
    // An image, so that screen readers read it as one item with its label.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <span className={classes.secret} role="img" aria-label={t('calls.secretName', { name })}>
      ‹{name}›
    </span>
  );
}

/** Text of a message, isolated in its own writing direction. */
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
