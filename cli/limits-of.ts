import type { App } from '../core/app.ts';
import { systemActor } from '../core/schemas/actor.ts';
import { type Limit, type LimitSubjectKind, limitListSchema } from '../core/schemas/limit.ts';

export interface Subject {
  subject_kind: LimitSubjectKind;
  /** Empty for each of the kind. */
  subject: string;
}

/** The limits of a token or user, with the ones for each of its kind: a few dozen at most. */
export async function readLimitsOf({ services }: App, { subject_kind, subject }: Subject): Promise<Limit[]> {
  const query = limitListSchema.parse({ applies_to: subject_kind, subject, page_size: 100 });
  return (await services.limits.list(systemActor, query)).items;
}
