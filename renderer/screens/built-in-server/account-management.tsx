import { Switch } from '@mantine/core';
import { useId } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';

/** Switches the calls about the account itself on and off, with which the built-in server starts again. */
export function AccountManagement({ server }: { server: Pick<Server, 'interface'> }) {
  const id = useId();
  const { run, pending, failure } = useAction();
  const isOn = server.interface.account !== undefined;
  return (
    <Card title={t('builtIn.accountCalls.title')}>
      <Switch
        // Mantine's label contains the description too, which would become part of the accessible name.
        aria-labelledby={id}
        label={<span id={id}>{t('builtIn.accountCalls.label')}</span>}
        description={t('builtIn.accountCalls.help')}
        checked={isOn}
        aria-busy={pending}
        onChange={() =>
          void run(
            () => api.builtIn.setAccountCalls({ on: !isOn }),
            () => () => t(isOn ? 'builtIn.accountCalls.off' : 'builtIn.accountCalls.on'),
          )
        }
      />
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </Card>
  );
}
