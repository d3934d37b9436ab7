import { useState } from 'react';
import type { FieldNode } from '../../../preload/contract/field-tree.ts';
import { ChevronIcon, ChevronRightIcon, KeyIcon } from '../../components/icons.tsx';
import { Chip } from '../../components/chip.tsx';
import linkClasses from '../../components/link-button.module.css';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import classes from './answers.module.css';
import { reportTexts } from '../../answers/report-texts.ts';

/** Number of fields of a level that are shown at first. */
const shownAtFirst = 10;

/** The fields of a response as a tree, with its first level expanded. */
export function FieldTree({ nodes, level = 0 }: { nodes: readonly FieldNode[]; level?: number }) {
  const words = reportTexts();
  const [isWhole, setWhole] = useState(false);
  const left = nodes.length - shownAtFirst;
  return (
    <ul className={level === 0 ? classes.tree : classes.branch}>
      {(isWhole ? nodes : nodes.slice(0, shownAtFirst)).map((node) => (
        <Node key={node.path} node={node} level={level} />
      ))}
      {left > 0 && !isWhole && (
        <li>
          <button type="button" className={linkClasses.link} data-size="small" onClick={() => setWhole(true)}>
            {words.t('values.moreFields', { count: left })}
          </button>
        </li>
      )}
    </ul>
  );
}

function Node({ node, level }: { node: FieldNode; level: number }) {
  const words = reportTexts();
  const { name, type, secret, fields } = node;
  const [isOpen, setOpen] = useState(level === 0);
  const about =
    fields.length > 0 ? words.t('values.fieldCount', { count: fields.length }) : type && words.t(`types.${type}`);
  const line = (
    <>
      <code>
        <UntrustedText text={name} />
      </code>
      {secret && (
        <Chip tone="warn" icon={<KeyIcon size={14} />}>
          {words.t('values.secret')}
        </Chip>
      )}
      <span className="far hint nowrap">{about}</span>
    </>
  );
  if (fields.length === 0) return <li className={classes.leaf}>{line}</li>;
  return (
    <li>
      <button type="button" className={classes.node} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? <ChevronIcon size={14} /> : <ChevronRightIcon size={14} />}
        {line}
      </button>
      {isOpen && <FieldTree nodes={fields} level={level + 1} />}
    </li>
  );
}
