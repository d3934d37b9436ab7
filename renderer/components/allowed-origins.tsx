import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { errorText } from '../error-text.ts';
import { useAction } from '../use-action.ts';
import { Card } from './card.tsx';
import { plainText } from './plain-text.ts';
import { t } from '../i18n.ts';

/** Edits the origins that may use a server on this computer (CORS), one per line. */
export function AllowedOrigins({ server }: { server: Pick<Server, 'id' | 'allowedOrigins'> }) {
  const saved = (server.allowedOrigins ?? []).join('\n');
  const [draft, setDraft] = useState<string>();
  const typed = draft ?? saved;
  const { run, pending, failure } = useAction();
  const isChanged = typed.trim() !== saved;
  const wrong = failure && errorText(failure.error, 'server');

  function submit(event: FormEvent) {
    event.preventDefault();
    const origins = typed.split(/\s+/).filter((each) => each !== '');
    void run(
      () => api.servers.allowOrigins({ id: server.id, origins }),
      () => {
        // The saved origins are shown as browsers serialize them.
        setDraft(undefined);
        return () => t('allowedOrigins.saved');
      },
    );
  }

  return (
    <Card title={t('allowedOrigins.title')}>
      <form onSubmit={submit} noValidate className="grid slim gap12">
        <Textarea
          label={t('allowedOrigins.label')}
          description={t('allowedOrigins.help')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          classNames={{ input: 'size13 mono' }}
          rows={2}
          maxLength={6000}
          value={typed}
          error={wrong && `${wrong.message} ${wrong.advice}`}
          onChange={(event) => setDraft(event.currentTarget.value)}
          {...plainText}
        />
        <div className="row gap12">
          <Button type="submit" variant="default" size="xs" aria-busy={pending} aria-disabled={!isChanged}>
            {t('app.save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
