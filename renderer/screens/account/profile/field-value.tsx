import { useEffect, useState } from 'react';
import type { DisplayField, DisplayImage, DisplayValue } from '../../../../preload/contract/models.ts';
import { safeExternalUrl } from '../../../../preload/contract/external-url.ts';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { OpenIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import classes from './field-row.module.css';
import { capitalize, formatFull, formatDateTime, formatDate } from '../../../format.ts';
import { t } from '../../../i18n.ts';
import { useAction } from '../../../use-action.ts';

/** The path of a value: its field and the steps within. */
export type ValuePlace = Parameters<typeof api.profile.copy>[0];

/** A longer text is truncated until the user expands it. */
const longText = 240;

/** A list up to this length is shown in one line. */
const longList = 8;

/** Returns the fields within a value that is collapsed at first; undefined for one that is shown as it is. */
export function nestedFields(value: DisplayValue): readonly DisplayField[] | undefined {
  if (value.is === 'fields') return value.fields.length === 0 ? undefined : value.fields;
  if (value.is !== 'list' || value.items.length === 0 || isLine(value.items)) return undefined;
  return value.items.map((item, index) => ({ name: String(index + 1), value: item }));
}

const isLine = (items: readonly DisplayValue[]): boolean => items.length <= longList && items.every(isPlain);

const isPlain = (value: DisplayValue): boolean =>
  value.is === 'number' || value.is === 'flag' || (value.is === 'text' && value.text !== '');

/** A value that is never collapsed. */
export function FieldValue({ value, place }: { value: DisplayValue; place?: ValuePlace | undefined }) {
  switch (value.is) {
    case 'flag':
      return t(value.yes ? 'profile.yes' : 'profile.no');
    case 'number':
      return <LongText text={value.digits} />;
    case 'text':
      return value.text === '' && value.left === undefined ? (
        <Empty />
      ) : (
        <LongText text={value.text} left={value.left} place={place} />
      );
    case 'picture':
      return place === undefined ? <Empty /> : <Picture place={place.field} {...value} />;
    case 'secret':
      return <span className={classes.secret}>{t('profile.hidden')}</span>;
    case 'day':
      return <Day day={value.day} />;
    case 'moment':
      return <Moment at={value.at} isZoneSaid={value.isZoneSaid} />;
    case 'list':
      return value.items.length === 0 ? <Empty /> : <Line items={value.items} />;
    case 'nothing':
    case 'fields':
      return <Empty />;
    default:
      return value satisfies never;
  }
}

/** Returns the data URL of a picture that the server sent; an empty picture until it is loaded. */
export function usePicture(place: string | undefined): string {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (place === undefined) return;
    void api.profile.picture({ place }).then((result) => setAddress(result.ok ? result.value.address : undefined));
  }, [place]);
  return address ?? emptyPicture;
}

function Picture({ place, width, height }: DisplayImage & { place: string }) {
  const src = usePicture(place);
  const alt = t('profile.pictureOf', { width, height });
  return <img className={classes.picture} src={src} alt={alt} width={width} height={height} />;
}

const emptyPicture = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

function Empty() {
  return <span className="muted">{t('profile.empty')}</span>;
}

function Line({ items }: { items: readonly DisplayValue[] }) {
  const texts = items.map((item) =>
    item.is === 'text'
      ? item.text
      : item.is === 'number'
        ? item.digits
        : t(item.is === 'flag' && item.yes ? 'profile.yes' : 'profile.no'),
  );
  return <LongText text={texts.join(', ')} />;
}

function Day({ day }: { day: string }) {
  return (
    <time dateTime={day} title={formatDate(day, 'day-full')}>
      {formatDate(day, 'day')}
    </time>
  );
}

/** A time without a zone is taken as UTC. */
function Moment({ at, isZoneSaid }: { at: string; isZoneSaid: boolean }) {
  const [openedAt] = useState(() => Date.now());
  const moment = new Date(at);
  if (isZoneSaid) {
    return (
      <time dateTime={at} title={formatFull(moment)}>
        {capitalize(formatDateTime(moment, openedAt))}
      </time>
    );
  }
  return (
    <>
      <time dateTime={at} title={formatDate(moment, 'utc-full')}>
        {formatDate(moment, 'utc')}
      </time>{' '}
      <span className="muted">{t('profile.zoneNotSaid')}</span>
    </>
  );
}

interface LongTextProps {
  text: string;
  /** The number of characters beyond `text`. */
  left?: number | undefined;
  place?: ValuePlace | undefined;
}

function LongText({ text, left = 0, place }: LongTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const characters = text.length > longText ? Array.from(text) : [];
  if (characters.length <= longText && left === 0) return <ExternalLink text={text} place={place} />;
  const shown = isWhole ? text : characters.slice(0, longText).join('');
  return (
    <>
      <bdi className={classes.text}>{isWhole && left === 0 ? shown : `${shown}…`}</bdi>{' '}
      {isWhole && left > 0 && <span className="muted">{t('profile.textLeft', { count: left })} </span>}
      <button
        type="button"
        className={`${linkClasses.link} ${classes.long}`}
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
      >
        {t(isWhole ? 'profile.showLess' : 'profile.showAll')}
      </button>
    </>
  );
}

/** A link that main opens after the user agreed. Any other text is shown as text. */
export function ExternalLink({ text, place }: { text: string; place: ValuePlace | undefined }) {
  const { run, failure } = useAction();
  const isPage = safeExternalUrl(text)?.startsWith('http');
  if (!place || isPage === undefined) return <UntrustedText text={text} className={classes.text} />;
  return (
    <>
      <button
        type="button"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An anchor would lead the window itself away.
        role="link"
        className={`${linkClasses.link} ${classes.link}`}
        onClick={() => void run(() => api.profile.open(place))}
      >
        <UntrustedText text={text.replace(/^https?:\/\//i, '').replace(/\/$/, '')} />
        {isPage && <OpenIcon size={14} />}
      </button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}
