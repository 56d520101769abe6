import type { Audit, AuditPart } from '../../../../core/schemas/audit.ts';
import { TextLink } from '../../components/text-link.tsx';
import { objectPath, requestsPath } from '../../state/object-path.ts';

/** Who did what; names lead to their objects. */
export function AuditSentence({ sentence }: Pick<Audit, 'sentence'>) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {sentence.map((part, index) => {
        const path = pathOf(part);
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
        return path ? <TextLink key={index} to={path} children={part.text} /> : <span key={index}>{part.text}</span>;
      })}
    </span>
  );
}

function pathOf({ kind, id = '', text }: AuditPart): string | undefined {
  if (kind === 'user') return objectPath.user(text);
  if (kind === 'channel') return objectPath.channel(Number(id));
  if (kind === 'token') return requestsPath({ token_name: text });
  return kind === 'option' ? `/setting?tab=system&q=${encodeURIComponent(id)}` : undefined;
}
