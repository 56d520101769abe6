import type { Command } from 'commander';
import { z } from 'zod';
import { systemActor } from '../../../core/schemas/actor.ts';
import { type Limit, type LimitSubjectKind, limitListSchema, limitSubjectKinds } from '../../../core/schemas/limit.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../flag/selection.ts';
import { readLimitsOf, type Subject } from '../../limits-of.ts';
import { limitLine } from '../../print/limit.ts';
import { quotaFormat } from '../../print/quota-format.ts';
import { findTokens } from '../token/find.ts';

/** Whom a limit is for, as flags. */
export interface SubjectFlags {
  token?: string;
  user?: string;
  group?: string;
  model?: string;
  each?: LimitSubjectKind;
}

const flags = '--token, --user, --group, --model, --each';

export function addSubject(command: Command, { speak }: Context): Command {
  return command
    .option('--token <token>', speak('flag.limitToken'))
    .option('--user <user>', speak('flag.limitUser'))
    .option('--group <group>', speak('flag.limitGroup'))
    .option('--model <model>', speak('flag.limitModel'))
    .addOption(command.createOption('--each <kind>', speak('flag.limitEach')).choices([...limitSubjectKinds]));
}

/** Exactly one must be named; whether it exists is asked for tokens and users, which have ids. */
export async function subjectFrom(
  { app, speak }: Pick<Context, 'app' | 'speak'>,
  { token, user, group, model, each }: SubjectFlags,
  command: Command,
): Promise<Subject> {
  const given = [token, user, group, model, each].filter((value) => value !== undefined);
  if (given.length !== 1 || given[0]?.trim() === '') throw usage(command, speak('usage.oneOf', { flags }));
  if (each !== undefined) return { subject_kind: each, subject: '' };
  if (token !== undefined) {
    const [found] = await findTokens(await app(), [token], undefined);
    return { subject_kind: 'token', subject: String(found?.id) };
  }
  if (user !== undefined) {
    const { users } = (await app()).services;
    return { subject_kind: 'user', subject: String((await users.find(systemActor, user)).id) };
  }
  const subject_kind = group === undefined ? 'model' : 'group';
  // Under the name of its flag, so that an error names that.
  const named = z.object({ [subject_kind]: limitListSchema.shape.subject }).parse({ [subject_kind]: group ?? model });
  return { subject_kind, subject: named[subject_kind] ?? '' };
}

/** For the details of a token or a user: as the API has them, or a line to read. */
export async function limitsField({ app, output, speak }: Context, subject: Subject): Promise<Limit[] | string> {
  const opened = await app();
  const limits = await readLimitsOf(opened, subject);
  const format = quotaFormat(opened.services.options);
  return output.json
    ? limits
    : limits.map((limit) => limitLine(limit, subject.subject, format, speak)).join(speak('limit.also'));
}
