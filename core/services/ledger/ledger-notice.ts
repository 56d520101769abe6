import type { Stray } from '../../billing/ledger-store.ts';
import { inBothLanguages } from '../notice/notice.ts';
import { createRootNotice, type RootNoticeDependencies } from '../notice/root-notice.ts';

/** Tells root of settlements whose hold was gone: the database is an older copy of itself, and more may be missing. */
export function createLedgerNotice(dependencies: RootNoticeDependencies) {
  const { tell, close } = createRootNotice(dependencies);
  return {
    close,
    strayed(strays: readonly Stray[]): void {
      const parked = strays.filter(({ state }) => state === 'parked').length;
      const counts = { booked: strays.length - parked, parked };
      tell({ kind: 'ledger_stray', title, lines: inBothLanguages((language) => lines[language](counts)) }, 0);
    },
  };
}

const title = { en: 'settlements were found without a hold', zh: '发现没有冻结记录的结算' };

const lines = {
  en: ({ booked, parked }: { booked: number; parked: number }) => [
    `${booked} were booked in full, ${parked} wait for your decision: tollgate ledger stray.`,
    'The database seems to be an older copy of itself: users, tokens and settings that were changed since that copy are missing too.',
  ],
  zh: ({ booked, parked }: { booked: number; parked: number }) => [
    `已全额入账 ${booked} 笔，另有 ${parked} 笔等待您决定：tollgate ledger stray。`,
    '数据库似乎被换成了较早的副本：该副本之后修改的用户、令牌和设置也已丢失。',
  ],
};
