import { Fragment } from 'react';
import type { Audit, AuditPart } from '../../../../core/schemas/audit.ts';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath } from '../../state/object-path.ts';

/** Who did what; names lead to their objects. */
export function AuditSentence({ sentence }: Pick<Audit, 'sentence'>) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {sentence.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
        <Fragment key={index}>
          <Part part={part} />
        </Fragment>
      ))}
    </span>
  );
}

function Part({ part }: { part: AuditPart }) {
  const path = pathOf(part);
  return path ? <TextLink to={path}>{part.text}</TextLink> : part.text;
}

function pathOf({ kind, id = '' }: AuditPart): string | undefined {
  if (kind === 'user') return objectPath.user(Number(id));
  if (kind === 'channel') return objectPath.channel(Number(id));
  if (kind === 'token') return objectPath.token(Number(id));
  if (kind === 'model') return objectPath.model(id);
  return kind === 'option' ? `/setting?tab=system&q=${encodeURIComponent(id)}` : undefined;
}
