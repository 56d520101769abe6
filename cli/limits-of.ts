import type { App } from '../core/app.ts';
import { systemActor } from '../core/schemas/actor.ts';
import { type Limit, type LimitSubjectKind, limitListSchema } from '../core/schemas/limit.ts';
import { limitsOfSubject } from '../core/schemas/limit-subject.ts';

export interface Subject {
  subject_kind: LimitSubjectKind;
  /** Empty for each of the kind. */
  subject: string;
}

/** The limits of a token or user, with the ones for each of its kind. */
export async function readLimitsOf({ services }: App, { subject_kind, subject }: Subject): Promise<Limit[]> {
  const found: Limit[] = [];
  for (let page = 1; ; page++) {
    const query = limitListSchema.parse({ subject_kind, sort: 'id', page, page_size: 100 });
    const { items, total } = await services.limits.list(systemActor, query);
    found.push(...items);
    if (items.length === 0 || found.length >= total) return limitsOfSubject(found, subject);
  }
}
