import { Button } from '@mantine/core';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { PlayIcon } from '../../../components/icons.tsx';
import { useAction } from '../../../use-action.ts';
import classes from '../account-form.module.css';
import { t } from '../../../i18n.ts';

/** Leads to the profile of a made-up person. */
export function TryOffline() {
  const attempt = useAction();

  return (
    <div className={classes.demo}>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<PlayIcon />}
        aria-busy={attempt.pending}
        aria-describedby="try-offline-help"
        onClick={() => void attempt.run(api.demo.start)}
      >
        {t('demo.try')}
      </Button>
      <p id="try-offline-help">{t('demo.help')}</p>
      <div aria-live="polite">{attempt.pending && t('demo.starting')}</div>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
    </div>
  );
}
