import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ShownToken } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Chip } from '../../../components/chip.tsx';
import { ChevronIcon, ChevronRightIcon, CopyIcon, InfoIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { Said } from '../../../components/said.tsx';
import { FactRow } from './fact-row.tsx';
import { fieldLabel } from './field-labels.ts';
import classes from './token-card.module.css';
import { t } from '../../../i18n.ts';

interface TokenCardProps {
  sessionId: string;
  onCopy: (as: 'token' | 'header') => void;
  onUseOther: () => void;
}

/** Says what the token of a session says of itself, and hands it out. The token itself never comes here. */
export function TokenCard({ sessionId, onCopy, onUseOther }: TokenCardProps) {
  const [token, setToken] = useState<ShownToken>();
  const [error, setError] = useState<AppError>();

  async function toggle() {
    setError(undefined);
    if (token) return setToken(undefined);
    const result = await api.sessions.token({ id: sessionId });
    if (result.ok) setToken(result.value);
    else setError(result.error);
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
            {t('session.token.says')}
          </Button>
          {token?.form === 'jwt' && <Kind algorithm={token.algorithm} />}
        </div>
        {token && <Claims token={token} />}
        <div className={classes.foot}>
          {(['token', 'header'] as const).map((as) => (
            <Button key={as} variant="default" size="xs" leftSection={<CopyIcon />} onClick={() => onCopy(as)}>
              {t(as === 'token' ? 'session.token.copy' : 'session.token.copyHeader')}
            </Button>
          ))}
          <p className="flush hint">{t(token?.form === 'jwt' ? 'session.token.help' : 'session.token.helpOpaque')}</p>
          <button type="button" className={linkClasses.link} data-size="small" onClick={onUseOther}>
            {t('session.token.useOther')}
          </button>
        </div>
        <Said outcome={error && { error }} />
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

function Claims({ token }: { token: ShownToken }) {
  if (token.form === 'opaque' || token.claims.length === 0)
    return <p className={classes.nothing}>{t('session.token.opaque')}</p>;
  return (
    <>
      <dl className={classes.claims}>
        {token.claims.map(({ name, value }) => (
          <FactRow key={name} label={fieldLabel(name)} name={name} value={value} showsName />
        ))}
      </dl>
      {token.left !== undefined && <p className={classes.nothing}>{t('profile.left', { count: token.left })}</p>}
    </>
  );
}
