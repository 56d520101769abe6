import { useMemo } from 'react';
import { AuditPage } from './audit-page.tsx';

/** What was done to one object: the audit log, narrowed to it. */
export function ObjectHistory({ kind, id }: { kind: string; id: string }) {
  const fixed = useMemo(() => ({ object_kind: kind, object_id: id }), [kind, id]);
  return <AuditPage fixed={fixed} />;
}
