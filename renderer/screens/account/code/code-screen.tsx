import { useId, useState } from 'react';
import type { CodeMethod } from '../../../../preload/contract/interface.ts';
import type { PendingLoginInfo } from '../../../../preload/contract/models.ts';
import { api, useActiveServer } from '../../../api.ts';
import { FormCard } from '../../../components/form-card.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { t } from '../../../i18n.ts';
import { serverName } from '../../../server-name.ts';
import { CodeForm } from './code-form.tsx';
import { DemoCode } from './demo-code.tsx';
import classes from './code.module.css';

/** The second step of a login, in the place of its form. */
export function CodeScreen({ login }: { login: PendingLoginInfo }) {
  const server = useActiveServer();
  const [method, setMethod] = useState<CodeMethod>(login.methods[0]?.method ?? 'totp');
  const isSent = login.methods.some((each) => each.method === method && each.isSent);
  const id = useId();
  const names = { server: serverName(server), account: login.account };
  return (
    <FormCard title={t(method === 'recovery' ? 'code.titleRecovery' : 'code.title')} fields={2}>
      <p id={id} className={classes.for}>
        <UntrustedText text={t(isSent ? 'code.sentTo' : 'code.for', names)} />
      </p>
      {server.builtIn && <DemoCode />}
      <CodeForm
        login={login}
        method={method}
        onMethod={setMethod}
        describedBy={id}
        onCancel={() => void api.session.cancelCode()}
      />
    </FormCard>
  );
}
