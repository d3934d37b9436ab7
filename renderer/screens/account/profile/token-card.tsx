import { Button } from '@mantine/core';
import { useState } from 'react';
import type { TokenDetails } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Chip } from '../../../components/chip.tsx';
import { ChevronIcon, ChevronRightIcon, CopyIcon, InfoIcon } from '../../../components/icons.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { FieldRow } from './field-row.tsx';
import { fieldLabel } from './field-labels.ts';
import classes from './token-card.module.css';
import { t } from '../../../i18n.ts';
import { useAction } from '../../../use-action.ts';

/** The content of a session's token. Main copies the token, which the renderer never receives. */
export function TokenCard({ sessionId, onUseOther }: { sessionId: string; onUseOther: () => void }) {
  const [token, setToken] = useState<TokenDetails>();
  const content = useAction();
  const copy = useAction();

  async function toggle() {
    content.dismiss();
    if (token) return setToken(undefined);
    const result = await content.run(() => api.sessions.token({ id: sessionId }));
    if (result?.ok) setToken(result.value);
  }

  return (
    <div className={classes.card}>
      <Card title={t('session.token.title')} padding="none">
        <div className={classes.head}>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            ml={-9}
            aria-expanded={token !== undefined}
            leftSection={token ? <ChevronIcon /> : <ChevronRightIcon />}
            onClick={() => void toggle()}
          >
            {t('session.token.content')}
          </Button>
          {token?.form === 'jwt' && <Kind algorithm={token.algorithm} />}
        </div>
        {content.failure && <ErrorMessage error={content.failure.error} during="server" />}
        {token && <Claims token={token} />}
        <div className={classes.foot}>
          {(['token', 'header'] as const).map((as) => (
            <Button
              key={as}
              variant="default"
              size="xs"
              leftSection={<CopyIcon />}
              onClick={() =>
                void copy.run(
                  () => api.sessions.copyToken({ id: sessionId, as }),
                  ({ copied }) =>
                    () =>
                      t(copied ? 'session.token.copied' : 'session.token.notCopied'),
                )
              }
            >
              {t(as === 'token' ? 'session.token.copy' : 'session.token.copyHeader')}
            </Button>
          ))}
          {copy.failure && <ErrorMessage error={copy.failure.error} during="server" />}
          <p className="flush hint">{t(token?.form === 'jwt' ? 'session.token.help' : 'session.token.helpOpaque')}</p>
          <button type="button" className={linkClasses.link} data-size="small" onClick={onUseOther}>
            {t('session.token.useOther')}
          </button>
        </div>
      </Card>
    </div>
  );
}

function Kind({ algorithm }: { algorithm: string }) {
  return (
    <>
      <Chip>{t('session.token.jwt')}</Chip>
      <Chip>
        <bdi className="mono">{algorithm}</bdi>
      </Chip>
      <Chip tone="warn" icon={<InfoIcon size={14} />}>
        {t('session.token.notVerified')}
      </Chip>
    </>
  );
}

function Claims({ token }: { token: TokenDetails }) {
  if (token.form === 'opaque' || token.claims.length === 0)
    return <p className={classes.nothing}>{t('session.token.opaque')}</p>;
  return (
    <>
      <dl className="flush line-above">
        {token.claims.map(({ name, value }) => (
          <FieldRow key={name} label={fieldLabel(name)} name={name} value={value} showsName />
        ))}
      </dl>
      {token.left !== undefined && <p className={classes.nothing}>{t('profile.left', { count: token.left })}</p>}
    </>
  );
}
