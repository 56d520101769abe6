import { z } from 'zod';
import { hasUnseen } from '../lib/confusable-name.ts';
import { coded } from '../text/coded.ts';
import { lineText, maxGroupNameLength } from './channel-field.ts';
import { figure } from './pricing.ts';

/** The group of users and channels without another group. */
export const defaultGroup = 'default';

/** Channels contain their groups as a comma list. */
const groupName = lineText(maxGroupNameLength)
  .pipe(z.string().min(1))
  .refine((name) => !hasUnseen(name), { message: coded('input.noUnseen') })
  .refine((name) => !name.includes(','), { message: coded('input.noComma') });

/** Absent = unchanged; a new group starts with ratio 1, and only its own users may choose it. */
export const groupSetSchema = z.object({
  name: groupName,
  ratio: figure,
  /** Whether every user may choose it. */
  usable: z.boolean().optional(),
  description: lineText(1000).optional(),
  topup_ratio: figure,
});
export type GroupSet = z.output<typeof groupSetSchema>;

export interface Group {
  name: string;
  /** Null for a group in use that has no ratio: its calls are refused. */
  ratio: number | null;
  usable: boolean;
  description: string;
  topup_ratio: number | null;
  users: number;
  tokens: number;
  channels: number;
}
