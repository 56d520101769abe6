import { detail } from './en/detail.ts';
import { error } from './en/error.ts';
import { notice } from './en/notice.ts';
import { route } from './en/route.ts';
import { terminal } from './en/terminal.ts';
import type { Language } from './filler.ts';
import { detail as detailZh } from './zh/detail.ts';
import { error as errorZh } from './zh/error.ts';
import { notice as noticeZh } from './zh/notice.ts';
import { route as routeZh } from './zh/route.ts';
import { terminal as terminalZh } from './zh/terminal.ts';

const en = { detail, error, notice, route, terminal };
const zh = { detail: detailZh, error: errorZh, notice: noticeZh, route: routeZh, terminal: terminalZh };

export type Texts = typeof en;
export const spaces = Object.keys(en) as (keyof Texts)[];

/** All texts of one kind. The built program has them in files of their own, and reads one when it is first asked for. */
export function textsOf(language: Language, space: keyof Texts): Record<string, string> {
  return { en, zh }[language][space];
}
