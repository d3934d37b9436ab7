import { useEffect, useState } from 'react';
import type { SentField, SentPicture, SentValue } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import linkClasses from '../../../components/link-button.module.css';
import classes from './facts.module.css';
import { OutsideLink } from './outside-link.tsx';
import type { ValuePlace } from './profile-actions.ts';
import { capitalize, formatFull, formatDateTime, formatDate } from '../../../format.ts';
import { t } from '../../../i18n.ts';

/** A text longer than this is cut until somebody asks for all of it. */
const longText = 240;

/** A short list stands in one line. */
const longList = 8;

/** Returns what is within a value that is folded at first. Undefined for one that is shown as it is. */
export function innerOf(value: SentValue): readonly SentField[] | undefined {
  if (value.is === 'fields') return value.fields.length === 0 ? undefined : value.fields;
  if (value.is !== 'list' || value.items.length === 0 || isLine(value.items)) return undefined;
  return value.items.map((item, index) => ({ name: String(index + 1), value: item }));
}

const isLine = (items: readonly SentValue[]): boolean => items.length <= longList && items.every(isPlain);

const isPlain = (value: SentValue): boolean =>
  value.is === 'number' || value.is === 'flag' || (value.is === 'text' && value.text !== '');

/** Shows a value that is not folded: moments in the language of the window, yes and no, a list in a line. */
export function FactValue({ value, place }: { value: SentValue; place?: ValuePlace | undefined }) {
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

/** The address of a picture that the server sent, once main has answered it. It is empty before that. */
export function usePicture(place: string | undefined): string {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (place === undefined) return;
    void api.profile.picture({ place }).then((result) => setAddress(result.ok ? result.value.address : undefined));
  }, [place]);
  return address ?? nothing;
}

function Picture({ place, width, height }: SentPicture & { place: string }) {
  const src = usePicture(place);
  const alt = t('profile.pictureOf', { width, height });
  return <img className={classes.picture} src={src} alt={alt} width={width} height={height} />;
}

const nothing = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

function Empty() {
  return <span className="muted">{t('profile.empty')}</span>;
}

function Line({ items }: { items: readonly SentValue[] }) {
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

/** A moment without a zone is said by the clock of UTC, and that this is a guess. */
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
  /** How many characters there are beyond the text. */
  left?: number | undefined;
  place?: ValuePlace | undefined;
}

function LongText({ text, left = 0, place }: LongTextProps) {
  const [isWhole, setIsWhole] = useState(false);
  const characters = text.length > longText ? Array.from(text) : [];
  if (characters.length <= longText && left === 0) return <OutsideLink text={text} place={place} />;
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
